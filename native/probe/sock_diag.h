// Sockets of one network namespace, asked of the kernel by NETLINK_SOCK_DIAG: sock_diag(7), netlink(7).
// DecodeDiag is a pure parser; SockDiag communicates with the kernel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "core/fd.h"
#include "core/result.h"

namespace desk {

// TCP states of include/net/tcp_states.h; for an unconnected UDP socket the kernel says kTcpClose.
inline constexpr std::uint8_t kTcpEstablished = 1;
inline constexpr std::uint8_t kTcpClose = 7;
inline constexpr std::uint8_t kTcpListen = 10;
// The remote port of the connections that are listed.
inline constexpr std::uint16_t kHttpsPort = 443;

// One struct inet_diag_msg, ports in host order, addresses in network order (v4 in the first four bytes).
struct InetSocket {
  std::uint8_t family = 0;  // 4 or 6
  std::uint8_t state = 0;
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
  std::array<std::uint8_t, 16> source{};
  std::array<std::uint8_t, 16> destination{};
  std::uint32_t uid = 0;    // the creator's
  std::uint32_t inode = 0;  // 0 = closed, no process can hold it
  bool v6only = false;
  bool operator==(const InetSocket&) const = default;
};

// The result of one received datagram for the dump `sequence`.
struct DiagPart {
  bool done = false;         // NLMSG_DONE, or an error, ended the dump
  bool interrupted = false;  // NLM_F_DUMP_INTR: the table changed during the dump
  int error = 0;             // errno of the kernel; EBADMSG for malformed data
};

// Decodes one datagram of netlink messages, appending sockets. Messages of another sequence are skipped.
// Never reads beyond `bytes`.
DiagPart DecodeDiag(std::span<const std::byte> bytes, std::uint32_t sequence,
                    std::vector<InetSocket>& sockets);

// Which sockets to dump.
struct DiagQuery {
  std::uint8_t family = 4;             // 4 or 6
  std::uint8_t protocol = 6;           // IPPROTO_TCP or IPPROTO_UDP
  std::uint32_t states = 0;            // bit n = state n
  std::uint16_t destination_port = 0;  // 0 = any; filtered in the kernel
  std::uint16_t source_port = 0;       // likewise; at most one of the two
};

// Listeners: TCP LISTEN and bound UDP, of both families.
inline constexpr std::array kListenerQueries{
    DiagQuery{.family = 4, .protocol = 6, .states = 1u << kTcpListen},
    DiagQuery{.family = 6, .protocol = 6, .states = 1u << kTcpListen},
    DiagQuery{.family = 4, .protocol = 17, .states = 1u << kTcpClose},
    DiagQuery{.family = 6, .protocol = 17, .states = 1u << kTcpClose},
};
// For the sockets of such a query: a UDP socket without a port is not bound, one with a peer is connected;
// neither accepts packets from anyone.
constexpr bool AcceptsAnyPeer(const InetSocket& socket) {
  return socket.source_port != 0 && socket.destination_port == 0;
}

// The two ends of a connection, from the view of the socket: 4 or 16 bytes each.
struct DiagPeer {
  std::span<const std::uint8_t> source;
  std::uint16_t source_port;
  std::span<const std::uint8_t> destination;
  std::uint16_t destination_port;
};

// One netlink socket, opened at first use, kept, and closed after any error. It belongs to the network
// namespace of the thread that uses it first. Thread-safe.
class SockDiag {
 public:
  SockDiag() = default;
  // Uses a socket that was opened in another network namespace; after any error every call fails.
  explicit SockDiag(Fd made) : socket_(std::move(made)), given_(true) {}

  // The instances of this process: one for dumps, and one for exact queries, which must not wait for a dump.
  static SockDiag& ForDumps();
  static SockDiag& ForPeers();

  // All sockets that match, UDP including UDP-Lite (udplite(7)). A refusal when the kernel refuses, or the
  // answer is malformed, incomplete or keeps changing.
  Result<std::vector<InetSocket>> Dump(const DiagQuery& query);

  // Uid of the creator of exactly this TCP socket: no dump. ENOENT when there is none, ENOTCONN when nothing
  // holds it any more (for a closed socket the kernel reports uid 0, which must not be taken for root).
  Result<std::uint32_t> Creator(const DiagPeer& peer);

 private:
  int Open();
  // Bytes of the next datagram in buffer_, or a refusal.
  Result<std::size_t> Receive();
  Result<std::vector<InetSocket>> DumpWhole(const DiagQuery& query);
  Result<std::vector<InetSocket>> DumpOnce(const DiagQuery& query, bool& interrupted);
  Result<std::vector<InetSocket>> Collect(std::uint32_t sequence, bool& interrupted);

  std::mutex mutex_;
  Fd socket_;
  bool given_ = false;
  std::uint32_t sequence_ = 0;
  std::vector<std::byte> buffer_;
};

}  // namespace desk
