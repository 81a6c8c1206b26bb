// /proc/devices.
#include <algorithm>
#include <cerrno>
#include <string>

#include "fuzz/support/fuzz.h"
#include "probe/device_nodes.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string_view text = TextOf(input);
  const auto majors = ParseCharacterMajors(text);
  if (!majors) return Ensure(majors.error() == EBADMSG);
  Ensure(!majors->empty() && std::ranges::is_sorted(*majors));
  Ensure(text.find("Character devices:") != std::string_view::npos);
  // Text before the section changes nothing.
  const auto behind = ParseCharacterMajors("Block devices:\n  8 sd\n" + std::string(text));
  Ensure(behind.ok() && *behind == *majors);
}

}  // namespace desk::fuzz
