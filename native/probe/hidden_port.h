// Ports that are in use without a socket in the table: bind(2) checks the kernel's port allocation,
// sock_diag(7) lists its sockets. Nothing here listens or connects; each socket is used for one bind and
// closed.
//
// SO_REUSEADDR is off on purpose: without it every bound socket conflicts, in any state. With it TCP would
// ignore sockets that do not listen yet, and UDP would share the port and could receive another socket's
// datagrams. Sockets in TIME_WAIT conflict, too, but the table lists them.
//
// During the few microseconds of a bind, a program that binds that port fails: use on demand only. The desk's
// own ports are probed, too: a skipped port would be a blind spot, and our listeners retry.
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

// Whether ports in use can be compared with the table here.
struct PortSight {
  // Errors of creating v4 and v6 sockets; 0 = works. One of the two is enough.
  int v4_error = 0;
  int v6_error = 0;
  // The table shows a TCP socket that is bound and neither listens nor connects: since 6.8. Otherwise such a
  // socket would be taken for a hidden one. ENOENT = it does not.
  int bound_error = 0;
};

PortSight CheckPortSight();

// Adds the source port of every socket of the table, in all states, of one family (4 or 6); 0, or the
// refusal. A table of K sockets costs about K µs.
int AddTable(PortProtocol protocol, std::uint8_t family, PortBits table);

struct PortProbe {
  std::uint32_t tried = 0;
  std::uint32_t taken = 0;
  // Ports that neither we nor desk-start may bind (EACCES: below ip_unprivileged_port_start, or a security
  // module): unknown.
  std::uint32_t refused = 0;
  // The errno of the first of them; an error of AskStarter when desk-start does not answer.
  int refusal = 0;
  std::uint16_t lowest_refused = 0;
  std::uint16_t highest_refused = 0;
  // The error that stopped the pass (no descriptors, no memory); 0 = none.
  int error = 0;
};

// Binds every port of [from, to), 1 ≤ from ≤ to ≤ 65536, on the wildcard address of v6 and v4, which
// conflicts with a socket on any address; sets the bits of those in use.
PortProbe ProbePorts(PortProtocol protocol, std::uint32_t from, std::uint32_t to, PortBits taken);

// Which addresses of a family a socket holds a port on.
enum class BoundTo : std::uint8_t { kNothing, kWildcard, kLoopback, kOther };

// One round of confirmation of a port.
struct PortVerdict {
  enum class Kind : std::uint8_t { kFree, kListed, kHidden } kind = Kind::kFree;
  // Of a hidden one, derived from the addresses on which a bind fails. A dual-stack v6 socket holds both.
  BoundTo v4 = BoundTo::kNothing;
  BoundTo v6 = BoundTo::kNothing;
};

// Hidden = in use, then not in the table, then still in use: a socket that existed all the time is in the
// table.
Result<PortVerdict> ConfirmPort(PortProtocol protocol, std::uint16_t port);

}  // namespace desk
