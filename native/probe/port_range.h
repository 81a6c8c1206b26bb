// /proc/sys/net/ipv4/ip_local_port_range: the ephemeral ports, Documentation/networking/ip-sysctl.rst.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/result.h"

namespace desk {

struct PortRange {
  std::uint16_t low = 0;
  std::uint16_t high = 0;
  bool operator==(const PortRange&) const = default;
};

// Two numbers, low and high; EBADMSG when they are not, or not in that order.
Result<PortRange> ParsePortRange(std::string_view text);
Result<PortRange> ReadPortRange(int root);

}  // namespace desk
