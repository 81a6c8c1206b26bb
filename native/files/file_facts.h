// What is reported of one file of a search.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/fd.h"
#include "files/digest.h"
#include "files/search.h"

namespace desk::files {

// How much of a file is read.
enum class Depth {
  kFacts,
  // The digests of its content.
  kDigest,
  // And its first bytes.
  kText,
};

inline constexpr std::uint64_t kMostText = 256 << 10;
inline constexpr std::uint64_t kMostDigested = 64 << 20;

struct FileFacts {
  // Where it lies, without links in its folders.
  std::string path;
  // regular, or what else (stat(2)); "" where a link leads to nothing.
  const char* kind = "";
  // Of the file, behind a link.
  std::uint32_t mode = 0;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint64_t size = 0;
  // Nanoseconds since the epoch.
  std::int64_t modified = 0;
  std::int64_t changed = 0;
  // The text of the link; "" where it is none.
  std::string link;
  // The path of the file without any link.
  std::string real;
  std::optional<std::string> text;
  // The text is not all of it.
  bool cut = false;
  // "" where it was not read.
  std::string sha256;
  Digest md5{};
  // Why it could not be read; 0 where it was.
  int error = 0;
};

// Reads a file that was found, through descriptors: what replaces it meanwhile is not read. Nothing but
// regular files is opened. Only what `viewer` (a uid; 0: everyone) may read is read; behind a link, what the
// owner of the link may read. EACCES otherwise, EBUSY where the content changes meanwhile, EFBIG where it is
// too large for a digest.
FileFacts ReadFacts(const Found& found, std::uint32_t viewer, Depth depth);

}  // namespace desk::files
