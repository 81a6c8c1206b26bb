// Interfaces in promiscuous mode: the flag IFF_PROMISC (netdevice(7)) as sysfs shows it
// (Documentation/ABI/testing/sysfs-class-net). It is set while any user of the interface asks for it; netlink
// reports only whether ifconfig(8) or ip(8) did.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"

namespace desk {

struct PromiscuousInterface {
  std::string name;
  std::int32_t index = 0;
  // `bridge`, `port` (of a bridge, a bond or similar), `link` (one end of a pair, or on top of another
  // interface), the kernel's DEVTYPE (`wlan`, `vlan`, …), or `plain`.
  std::string kind;
};

// Of the network namespace that `sys` was mounted in, by name. ENOENT without /sys/class/net.
Result<std::vector<PromiscuousInterface>> ListPromiscuous(const std::string& sys);

}  // namespace desk
