// /etc/ld.so.preload: libraries that the dynamic linker loads into every program (ld.so(8)).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace desk {

inline constexpr std::size_t kMostPreloadBytes = 64 << 10;

struct PreloadFile {
  // Bytes read, at most kMostPreloadBytes; 0 for an empty or missing file.
  std::uint32_t bytes = 0;
  // As written in the file.
  std::vector<std::string> libraries;
};

// The names in such a text, split like the linker does (elf/rtld.c of glibc): at blanks, newlines and colons,
// without comments, which begin with # and end with the line.
std::vector<std::string_view> ParsePreload(std::string_view text);

// Of the machine whose top folder is `top` ("/" for our own). Read by plain system calls: such a library
// would first hide this file.
Result<PreloadFile> ReadPreloadFile(const std::string& top);

}  // namespace desk
