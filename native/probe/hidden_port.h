// Ports that are taken and belong to no socket of the table: bind(2) asks the kernel's own book of ports,
// sock_diag (7) shows its sockets. Nothing here ever listens or connects; each socket lives for one bind and
// is closed at once.
//
// SO_REUSEADDR is left off on purpose: without it every bound socket is in the way, in any state. With it TCP
// would pass by sockets that do not listen yet, and UDP would share the port and could take somebody's
// datagrams. The price, TIME_WAIT being in the way too, is nothing: the table shows those.
//
// For the few microseconds of a bind a program that starts on that very port finds it taken: on demand only.
// The desk's own ports are not left out: a port that is not asked is a port that is not seen, and our
// listeners try again.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/result.h"

namespace desk {

inline constexpr std::uint32_t kPorts = 65536;
// One bit per port, port n at bit n % 8 of byte n / 8.
inline constexpr std::size_t kPortBytes = kPorts / 8;
using PortBits = std::span<std::uint8_t, kPortBytes>;

enum class PortProtocol : std::uint8_t { kTcp = 6, kUdp = 17 };

// Whether taken ports can be compared with the table here.
struct PortSight {
  // v4 and v6 sockets can be made; 0 = works. One without the other is enough.
  int v4_error = 0;
  int v6_error = 0;
  // The table shows a TCP socket that is bound and neither listens nor connects: since 6.8. Without it such a
  // socket looks like a hidden one. ENOENT = it does not.
  int bound_error = 0;
};

PortSight CheckPortSight();

// Adds the source port of every socket of the table, in all states, of one family (4 or 6); 0, or the
// refusal. A table of K sockets costs about K µs.
int AddTable(PortProtocol protocol, std::uint8_t family, PortBits table);

struct PortProbe {
  std::uint32_t tried = 0;
  std::uint32_t taken = 0;
  // Ports that may not be bound by us (EACCES: below ip_unprivileged_port_start, or a security module), nor
  // by desk-start: unknown.
  std::uint32_t refused = 0;
  // Why the first of them was not; an error of AskStarter where desk-start does not answer.
  int refusal = 0;
  std::uint16_t lowest_refused = 0;
  std::uint16_t highest_refused = 0;
  // What stopped the pass (no descriptors, no memory); 0 = nothing did.
  int error = 0;
};

// Binds every port of [from, to), 1 ≤ from ≤ to ≤ 65536, on the wildcard of v6 and v4 at once, which any
// socket on any address is in the way of; sets the bits of those in use.
PortProbe ProbePorts(PortProtocol protocol, std::uint32_t from, std::uint32_t to, PortBits taken);

// Which addresses of a family a socket holds a port on.
enum class BoundTo : std::uint8_t { kNothing, kWildcard, kLoopback, kOther };

// One round of confirmation of a port.
struct PortVerdict {
  enum class Kind : std::uint8_t { kFree, kListed, kHidden } kind = Kind::kFree;
  // Of a hidden one, told from which addresses a bind is refused. A v6 socket that speaks v4 holds both.
  BoundTo v4 = BoundTo::kNothing;
  BoundTo v6 = BoundTo::kNothing;
};

// Hidden = taken, then in no table, then still taken: a socket that was there all the while stands in the
// table.
Result<PortVerdict> ConfirmPort(PortProtocol protocol, std::uint16_t port);

}  // namespace desk
