// The file that a process runs, opened by /proc/PID/exe: the mapped file, which may differ from the one at
// its path.
#pragma once

#include <cstdint>
#include <string>

#include "core/result.h"

namespace desk {

// Identifies the content of a file without reading it. Times in nanoseconds since the epoch.
struct Image {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t modified = 0;
  std::int64_t changed = 0;

  bool operator==(const Image&) const = default;
};

struct Digest {
  Image image;
  // SHA-256, 64 hex digits.
  std::string text;
};

// From the kernel's cache, without querying a file server: does not block.
Result<Image> ReadImage(int folder, const char* link);

// Reads the whole file, which may block. EFBIG beyond 512 MiB, EBUSY when it changed meanwhile.
Result<Digest> ReadDigest(int folder, const char* link);

// The same for the file at a path, which may not be the one that was run: compare `image`. EINVAL when it is
// not a regular file: nothing else is opened, and a final link is not followed.
Result<Digest> ReadFileDigest(const char* path);

}  // namespace desk
