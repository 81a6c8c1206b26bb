// The file that a process runs, as /proc/PID/exe reaches it: what is mapped, not what lies at its path by
// now.
#pragma once

#include <cstdint>
#include <string>

#include "core/result.h"

namespace desk {

// What tells one content of a file from another one without reading it. Times in nanoseconds since the epoch.
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

// By what the kernel knows already: no file server is asked, so this does not block.
Result<Image> ReadImage(int folder, const char* link);

// Reads the whole file, which may block. EFBIG beyond 512 MiB, EBUSY when it changed meanwhile.
Result<Digest> ReadDigest(int folder, const char* link);

// The same of the file at a path, which may be another one than somebody ran: `image` says which. Refused
// with EINVAL for what is no regular file: nothing else is opened, and no last link is followed.
Result<Digest> ReadFileDigest(const char* path);

}  // namespace desk
