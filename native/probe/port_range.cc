#include "probe/port_range.h"

#include "core/read.h"
#include "core/text.h"

namespace desk {

Result<PortRange> ParsePortRange(std::string_view text) {
  std::string_view line = TrimBlanks(TakeUntil(text, '\n'));
  const std::size_t blank = line.find_first_of(" \t");
  if (blank == std::string_view::npos) return Errno{EBADMSG};
  const auto low = ParseNumber<std::uint16_t>(line.substr(0, blank));
  const auto high = ParseNumber<std::uint16_t>(TrimBlanks(line.substr(blank)));
  if (!low || !high || *low == 0 || *low > *high) return Errno{EBADMSG};
  return PortRange{.low = *low, .high = *high};
}

Result<PortRange> ReadPortRange(int root) {
  return ReadFile(root, "sys/net/ipv4/ip_local_port_range").AndThen(ParsePortRange);
}

}  // namespace desk
