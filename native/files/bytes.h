// Bytes of files in binary formats.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <span>
#include <string_view>

namespace desk::files {

// All of `bytes` as one number, at most eight.
inline std::uint64_t BigEndian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8U | static_cast<unsigned char>(byte);
  return number;
}

// Fills `into` from this offset of the file: 0, EBADMSG where the file ends before, or why it failed.
inline int ReadAt(int file, std::uint64_t offset, std::span<char> into) {
  while (!into.empty()) {
    const ssize_t got = ::pread(file, into.data(), into.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return EBADMSG;
    offset += static_cast<std::uint64_t>(got);
    into = into.subspan(static_cast<std::size_t>(got));
  }
  return 0;
}

}  // namespace desk::files
