// Datagrams of NETLINK_SOCK_DIAG.
#include "probe/sock_diag.h"

#include <cerrno>
#include <tuple>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  constexpr std::uint32_t kSequence = 7;
  constexpr std::size_t kLeast = 16 + 72;  // nlmsghdr and inet_diag_msg
  const auto bytes = std::as_bytes(input);
  std::vector<InetSocket> sockets(1);
  sockets[0].inode = 4711;
  const DiagPart part = DecodeDiag(bytes, kSequence, sockets);
  Ensure(!sockets.empty() && sockets[0].inode == 4711);
  Ensure(sockets.size() - 1 <= bytes.size() / kLeast);
  Ensure(part.error == 0 || part.done);
  Ensure(part.error >= 0 && part.error <= 4095);
  for (const InetSocket& socket : std::span(sockets).subspan(1)) {
    Ensure(socket.family == 4 || socket.family == 6);
    if (socket.family == 6) continue;
    for (std::size_t i = 4; i < 16; ++i) Ensure(socket.source[i] == 0 && socket.destination[i] == 0);
  }

  // Whatever follows keeps the sockets decoded so far, and changes nothing once the dump has ended.
  std::vector<std::byte> longer(bytes.begin(), bytes.end());
  longer.insert(longer.end(), 40, std::byte{0xa5});
  std::vector<InetSocket> more(1);
  const DiagPart then = DecodeDiag(longer, kSequence, more);
  Ensure(more.size() >= sockets.size());
  for (std::size_t i = 1; i < sockets.size(); ++i) Ensure(sockets[i] == more[i]);
  if (part.done && part.error != EBADMSG) {
    Ensure(more.size() == sockets.size() && then.done && then.error == part.error);
    Ensure(then.interrupted == part.interrupted);
  }
  // A dump of another number skips these messages unless they are addressed to it.
  std::vector<InetSocket> none;
  std::ignore = DecodeDiag(bytes, kSequence + 1, none);
  Ensure(none.size() <= bytes.size() / kLeast);
}

}  // namespace desk::fuzz
