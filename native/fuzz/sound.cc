// /proc/asound/pcm.
#include <algorithm>
#include <string>

#include "fuzz/support/fuzz.h"
#include "probe/capture_devices.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string_view text = TextOf(input);
  const std::uint32_t count = ParsePcm(text);
  Ensure(count <= std::ranges::count(text, '\n') + 1);
  // Each line counts for itself.
  const std::size_t middle = text.find('\n', text.size() / 2);
  if (middle == std::string_view::npos) return;
  Ensure(ParsePcm(text.substr(0, middle)) + ParsePcm(text.substr(middle + 1)) == count);
}

}  // namespace desk::fuzz
