// Packet sockets and the processes that hold them. For a known holder only its descriptor is checked again;
// all processes are searched when a socket without a known holder appears, and periodically.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/root.h"

namespace desk {

// A line of /proc/net/packet (packet(7); packet_seq_show() of net/packet/af_packet.c).
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

struct PacketHolder {
  std::uint32_t inode = 0;
  std::int32_t pid = 0;
  // Thread in whose folder the descriptor is; 0 = in the folder of the process.
  std::int32_t tid = 0;
  std::int32_t fd = 0;
  // Of the process, clock ticks after boot.
  std::uint64_t start = 0;
};

struct PacketScan {
  std::vector<PacketSocket> sockets;
  std::vector<PacketHolder> holders;
  // Every process could be searched.
  bool complete = true;
};

class PacketSockets {
 public:
  explicit PacketSockets(Root& root) : root_(root.fd()) {}

  // The sockets of our own network namespace. None with a kernel without packet sockets.
  Result<PacketScan> Read();

 private:
  using Clock = std::chrono::steady_clock;

  void Forget(std::span<const std::uint32_t> inodes);
  void Search(std::span<const std::uint32_t> inodes);
  void SearchProcess(std::int32_t pid, bool our_pids, std::span<const std::uint32_t> inodes);

  const int root_;
  std::mutex mutex_;
  std::vector<PacketHolder> holders_;
  // Sockets of the last search, ascending.
  std::vector<std::uint32_t> searched_;
  Clock::time_point again_{};
  bool complete_ = true;
};

}  // namespace desk
