#include "watch/listener_sum.h"

#include <netinet/in.h>

#include <array>
#include <cstring>
#include <vector>

#include "core/siphash.h"

namespace desk {
namespace {

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

ListenerSum::Dumped ListenerSum::Dump() {
  Dumped dumped;
  for (const DiagQuery& query : kListenerQueries) {
    if (query.protocol == IPPROTO_TCP ? !tcp_ : !udp_) continue;
    const Result<std::vector<InetSocket>> dump = sockets_.Dump(query);
    if (!dump) {
      ++dumped.refusals;
      const std::array<std::uint8_t, 2> row{query.family, query.protocol};
      dumped.sum += SipHash13(ProcessKey(), row);
      continue;
    }
    for (const InetSocket& socket : *dump)
      if (AcceptsAnyPeer(socket)) dumped.sum += HashOf(socket, query.protocol);
  }
  return dumped;
}

std::uint64_t ListenerSum::Of(const ListenerView& view, std::uint32_t rows) const {
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
