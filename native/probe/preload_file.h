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
  // What was read of it, at most kMostPreloadBytes; 0 for an empty file and for none.
  std::uint32_t bytes = 0;
  // As they stand there.
  std::vector<std::string> libraries;
};

// The names in such a text, as the linker takes them apart (elf/rtld.c of glibc): between blanks, ends of
// line and colons, without comments, which begin with # and end with the line.
std::vector<std::string_view> ParsePreload(std::string_view text);

// Of the machine whose top folder is `top` ("/" for our own). Asked by plain system calls: what such a
// library hides first is the file that it stands in.
Result<PreloadFile> ReadPreloadFile(const std::string& top);

}  // namespace desk
