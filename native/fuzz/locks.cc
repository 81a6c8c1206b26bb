// /proc/locks.
#include "probe/locks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {
namespace {

std::string Hex(std::uint32_t number) {
  std::array<char, 8> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return {digits.data(), written.ptr};
}

}  // namespace

void FuzzOne(std::span<const std::uint8_t> input) {
  Taker taker(input);
  const FileKey file{.major = taker.Take<std::uint8_t>(),
                     .minor = taker.Take<std::uint8_t>(),
                     .inode = taker.Take<std::uint32_t>()};
  const std::string_view text = TextOf(taker.rest());
  const std::uint32_t count = ParseLocks(text, file);
  Ensure(count <= std::ranges::count(text, '\n') + 1);
  const std::string key = Hex(file.major) + ":" + Hex(file.minor) + ":" + std::to_string(file.inode);
  // Every line counts for itself; a waiter and a shared lock do not count.
  std::string more("\n");
  for (const char* before : {"9: FLOCK  ADVISORY  WRITE 708 ", "9: -> FLOCK  ADVISORY  WRITE 709 ",
                             "10: FLOCK  ADVISORY  READ 708 "})
    more.append(before).append(key).append(" 0 EOF\n");
  Ensure(ParseLocks(std::string(text) + more, file) == count + 1);
}

}  // namespace desk::fuzz
