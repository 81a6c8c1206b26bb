// /proc/PID/net/{tcp,tcp6,udp,udp6} (proc_pid_net(5)): the peers of the sockets of a network namespace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace desk {

// The other end of a socket.
struct Peer {
  // As inet_ntop(3) writes it; an IPv4 address within IPv6 as IPv4.
  std::string address;
  std::uint16_t port = 0;
};

// One line of such a table.
struct SocketLine {
  std::uint64_t inode = 0;
  // Nothing for a socket that listens, or an unconnected UDP socket.
  std::optional<Peer> peer;
};

// Nothing when the text is not the line of a socket, such as the heading.
std::optional<SocketLine> ParseSocketLine(std::string_view line);

// The table that lists sockets of a protocol, by the kernel's name ("TCP", "UDPv6"): "net/tcp"; "" when there
// is none.
std::string_view TableOf(std::string_view protocol);

// Parses a table in pieces and finds the line of one socket.
class PeerReader {
 public:
  explicit PeerReader(std::uint64_t inode) : inode_(inode) {}

  // The next bytes of the table.
  void Take(std::string_view piece);
  // The line was found.
  bool found() const { return found_; }
  const std::optional<Peer>& peer() const { return peer_; }

 private:
  std::uint64_t inode_;
  std::string line_;
  bool found_ = false;
  std::optional<Peer> peer_;
};

}  // namespace desk
