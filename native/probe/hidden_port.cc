#include "probe/hidden_port.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>

#include "core/fd.h"
#include "probe/sock_diag.h"
#include "start/client.h"

namespace desk {
namespace {

constexpr std::uint32_t kAllStates = ~0u;

// Where a socket is bound. kUnassigned is an address for documentation (RFC 5737, RFC 3849), bound by
// IP_FREEBIND: only a wildcard conflicts with it.
enum class Place { kAnyBoth, kAny4, kLoopback4, kUnassigned4, kAny6, kLoopback6, kUnassigned6 };

constexpr in_addr_t kUnassignedAddress4 = 0xc0000201;  // 192.0.2.1
constexpr in6_addr kUnassignedAddress6{{{0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}};

bool IsV4(Place place) {
  return place == Place::kAny4 || place == Place::kLoopback4 || place == Place::kUnassigned4;
}

Result<Fd> MakeSocket(PortProtocol protocol, Place place) {
  const int type = protocol == PortProtocol::kTcp ? SOCK_STREAM : SOCK_DGRAM;
  Fd made(::socket(IsV4(place) ? AF_INET : AF_INET6, type | SOCK_CLOEXEC, static_cast<int>(protocol)));
  if (!made.valid()) return Errno{errno};
  if (!IsV4(place)) {
    // Set explicitly: the default depends on net.ipv6.bindv6only.
    const int only = place == Place::kAnyBoth ? 0 : 1;
    if (::setsockopt(made.get(), IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof only) != 0) return Errno{errno};
  }
  if (place == Place::kUnassigned4 || place == Place::kUnassigned6) {
    // ipv6(7): the v4 option applies to both families.
    const int on = 1;
    if (::setsockopt(made.get(), IPPROTO_IP, IP_FREEBIND, &on, sizeof on) != 0) return Errno{errno};
  }
  return made;
}

// Binds, by desk-start if this process has given up the right to; 0 or the errno.
int BindTo(int made, const sockaddr* address, socklen_t length) {
  if (::bind(made, address, length) == 0) return 0;
  return errno == EACCES ? BindThroughStarter(made, address, length) : errno;
}

int Bind(const Fd& made, Place place, std::uint16_t port) {
  if (IsV4(place)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(place == Place::kLoopback4     ? INADDR_LOOPBACK
                                    : place == Place::kUnassigned4 ? kUnassignedAddress4
                                                                   : INADDR_ANY);
    return BindTo(made.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(port);
  if (place == Place::kLoopback6) address.sin6_addr = in6addr_loopback;
  if (place == Place::kUnassigned6) address.sin6_addr = kUnassignedAddress6;
  return BindTo(made.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

struct Tried {
  int error = 0;
  // The socket could not be created; otherwise the port could not be bound.
  bool socket = false;
};

Tried TryBind(PortProtocol protocol, Place place, std::uint16_t port) {
  const Result<Fd> made = MakeSocket(protocol, place);
  if (!made) return {.error = made.error(), .socket = true};
  return {.error = Bind(*made, place, port), .socket = false};
}

// The wildcard of both families, or of v4 alone on a kernel without v6.
Place Everywhere(PortProtocol protocol) {
  return MakeSocket(protocol, Place::kAnyBoth) ? Place::kAnyBoth : Place::kAny4;
}

bool Taken(PortProtocol protocol, Place place, std::uint16_t port) {
  return TryBind(protocol, place, port).error == EADDRINUSE;
}

BoundTo Where(PortProtocol protocol, std::uint16_t port, Place any, Place unassigned, Place loopback) {
  if (!Taken(protocol, any, port)) return BoundTo::kNothing;
  if (Taken(protocol, unassigned, port)) return BoundTo::kWildcard;
  return Taken(protocol, loopback, port) ? BoundTo::kLoopback : BoundTo::kOther;
}

// Whether the table has a socket with this source port, in any state.
Result<bool> InTable(PortProtocol protocol, std::uint16_t port) {
  for (const std::uint8_t family : {std::uint8_t{4}, std::uint8_t{6}}) {
    if (family == 6 && Everywhere(protocol) == Place::kAny4) continue;
    const auto sockets = SockDiag::ForDumps().Dump({.family = family,
                                                    .protocol = static_cast<std::uint8_t>(protocol),
                                                    .states = kAllStates,
                                                    .source_port = port});
    if (!sockets) return sockets.refusal();
    if (!sockets->empty()) return true;
  }
  return false;
}

// Whether the table shows a socket of ours that is only bound.
int BoundError(Place place) {
  const Result<Fd> made = MakeSocket(PortProtocol::kTcp, place);
  if (!made) return made.error();
  if (const int error = Bind(*made, place, 0); error != 0) return error;
  sockaddr_storage name{};
  socklen_t length = sizeof name;
  if (::getsockname(made->get(), reinterpret_cast<sockaddr*>(&name), &length) != 0) return errno;
  const std::uint16_t port =
      ntohs(name.ss_family == AF_INET ? reinterpret_cast<const sockaddr_in&>(name).sin_port
                                      : reinterpret_cast<const sockaddr_in6&>(name).sin6_port);
  const Result<bool> shown = InTable(PortProtocol::kTcp, port);
  if (!shown) return shown.error();
  return *shown ? 0 : ENOENT;
}

}  // namespace

PortSight CheckPortSight() {
  PortSight sight;
  sight.v4_error = MakeSocket(PortProtocol::kTcp, Place::kAny4).error();
  sight.v6_error = MakeSocket(PortProtocol::kTcp, Place::kAnyBoth).error();
  sight.bound_error = BoundError(sight.v4_error == 0 ? Place::kLoopback4 : Place::kLoopback6);
  return sight;
}

int AddTable(PortProtocol protocol, std::uint8_t family, PortBits table) {
  const auto sockets = SockDiag::ForDumps().Dump(
      {.family = family, .protocol = static_cast<std::uint8_t>(protocol), .states = kAllStates});
  if (!sockets) return sockets.error();
  for (const InetSocket& socket : *sockets)
    table[socket.source_port / 8] |= static_cast<std::uint8_t>(1u << socket.source_port % 8);
  return 0;
}

PortProbe ProbePorts(PortProtocol protocol, std::uint32_t from, std::uint32_t to, PortBits taken) {
  PortProbe probe;
  const Place place = Everywhere(protocol);
  for (std::uint32_t number = from; number < to; ++number) {
    const auto port = static_cast<std::uint16_t>(number);
    const Tried tried = TryBind(protocol, place, port);
    if (tried.socket) {
      probe.error = tried.error;
      return probe;
    }
    ++probe.tried;
    if (tried.error == 0) continue;
    if (tried.error == EADDRINUSE) {
      ++probe.taken;
      taken[port / 8] |= static_cast<std::uint8_t>(1u << port % 8);
      continue;
    }
    if (probe.refused++ == 0) {
      probe.lowest_refused = port;
      probe.refusal = tried.error;
    }
    probe.highest_refused = port;
  }
  return probe;
}

Result<PortVerdict> ConfirmPort(PortProtocol protocol, std::uint16_t port) {
  const Place everywhere = Everywhere(protocol);
  PortVerdict verdict;
  const Tried before = TryBind(protocol, everywhere, port);
  if (before.socket) return Errno{before.error};
  if (before.error != EADDRINUSE) return verdict;
  const Result<bool> shown = InTable(protocol, port);
  if (!shown) return shown.refusal();
  if (*shown) {
    verdict.kind = PortVerdict::Kind::kListed;
    return verdict;
  }
  const Tried after = TryBind(protocol, everywhere, port);
  if (after.socket) return Errno{after.error};
  if (after.error != EADDRINUSE) return verdict;
  verdict.kind = PortVerdict::Kind::kHidden;
  verdict.v4 = Where(protocol, port, Place::kAny4, Place::kUnassigned4, Place::kLoopback4);
  if (everywhere == Place::kAnyBoth)
    verdict.v6 = Where(protocol, port, Place::kAny6, Place::kUnassigned6, Place::kLoopback6);
  return verdict;
}

}  // namespace desk
