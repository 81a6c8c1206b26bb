// /proc/sys/net/ipv4/ip_local_port_range.
#include "probe/port_range.h"

#include <string>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string_view text = TextOf(input);
  const Result<PortRange> range = ParsePortRange(text);
  if (!range) return Ensure(range.error() == EBADMSG);
  Ensure(range->low > 0 && range->low <= range->high);
  const auto written = std::to_string(range->low) + "\t" + std::to_string(range->high) + "\n";
  const Result<PortRange> again = ParsePortRange(written);
  Ensure(again.ok() && *again == *range);
}

}  // namespace desk::fuzz
