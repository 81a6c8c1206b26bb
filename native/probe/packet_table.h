// /proc/net/packet: the packet sockets of a network namespace (packet(7); packet_seq_show() of
// net/packet/af_packet.c).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace desk {

struct PacketSocket {
  std::uint32_t inode = 0;
  // Of its creator.
  std::uint32_t uid = 0;
  // Ethernet protocol that it receives; 3 (ETH_P_ALL) = every one.
  std::uint16_t protocol = 0;
  // 2 SOCK_DGRAM, 3 SOCK_RAW, 10 SOCK_PACKET.
  std::uint8_t type = 0;
  // Number of the interface that it is bound to; 0 = all.
  std::int32_t interface = 0;
};

// EBADMSG for a malformed line below the heading.
Result<std::vector<PacketSocket>> ParsePacketTable(std::string_view text);

}  // namespace desk
