#include "watch/listener_poll.h"

#include <netinet/in.h>

#include <array>
#include <cstring>

#include "core/siphash.h"

namespace desk {
namespace {

constexpr std::int64_t kDumpEveryNs = 100'000'000;

// Hash of a listener. A set is compared by the sum of its hashes: the order of the kernel's rows is
// undefined.
std::uint64_t HashOf(const InetSocket& socket, std::uint8_t protocol) {
  std::array<std::uint8_t, 29> row{};
  row[0] = socket.family;
  row[1] = protocol;
  row[2] = socket.v6only ? 1 : 0;
  std::memcpy(&row[3], &socket.source_port, sizeof(socket.source_port));
  std::memcpy(&row[5], &socket.uid, sizeof(socket.uid));
  std::memcpy(&row[9], &socket.inode, sizeof(socket.inode));
  std::memcpy(&row[13], socket.source.data(), socket.source.size());
  return SipHash13(ProcessKey(), row);
}

}  // namespace

ListenerPoll::Change ListenerPoll::Poll(std::int64_t now_ns) {
  Change change;
  // Counted before the dump: changes in between are counted next time.
  const bool same = SameNumber();
  if (known_ && same && now_ns - dumped_ns_ < kDumpEveryNs) return change;
  dumped_ns_ = now_ns;
  Dump(change);
  return change;
}

// Compares the polled protocols. Unreadable numbers never count as the same.
bool ListenerPoll::SameNumber() {
  const Result<Sockstat::Counts> now = counts_.Read();
  const std::optional<Sockstat::Counts> before = counted_;
  counted_ = now ? std::optional(*now) : std::nullopt;
  if (!before || !counted_) return false;
  const bool tcp = before->v4.tcp == now->v4.tcp && before->v6.tcp == now->v6.tcp;
  const bool udp = before->v4.udp == now->v4.udp && before->v6.udp == now->v6.udp;
  return (!tcp_ || tcp) && (!udp_ || udp);
}

void ListenerPoll::Dump(Change& change) {
  std::uint64_t sum = 0;
  const auto add = [&](std::uint8_t protocol, std::uint8_t state) {
    for (const std::uint8_t family : {std::uint8_t{4}, std::uint8_t{6}}) {
      const Result<std::vector<InetSocket>> dump =
          sockets_.Dump({.family = family, .protocol = protocol, .states = 1u << state});
      if (!dump) {
        ++change.refusals;
        const std::array<std::uint8_t, 2> row{family, protocol};
        sum += SipHash13(ProcessKey(), row);
        continue;
      }
      for (const InetSocket& socket : *dump)
        if (AcceptsAnyPeer(socket)) sum += HashOf(socket, protocol);
    }
  };
  if (tcp_) add(IPPROTO_TCP, kTcpListen);
  if (udp_) add(IPPROTO_UDP, kTcpClose);
  change.changed = known_ && sum != last_;
  if (change.refusals == 0) change.sum = sum;
  last_ = sum;
  known_ = true;
}

std::uint64_t ListenerPoll::SumOf(const ListenerView& view, std::uint32_t rows) const {
  std::uint64_t sum = 0;
  for (std::uint32_t row = 0; row < rows; ++row) {
    const std::uint8_t protocol = view.protocol[row];
    if (protocol == IPPROTO_TCP ? !tcp_ : !udp_) continue;
    InetSocket socket{.family = view.family[row],
                      .source_port = view.port[row],
                      .uid = view.uid[row],
                      .inode = view.inode[row],
                      .v6only = view.v6only[row] != 0};
    std::memcpy(socket.source.data(), view.address + std::size_t{row} * kAddressBytes, kAddressBytes);
    sum += HashOf(socket, protocol);
  }
  return sum;
}

}  // namespace desk
