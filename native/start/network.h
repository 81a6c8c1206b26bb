// Sockets of other network namespaces: network_namespaces(7), setns(2). The calling process has one thread
// and CAP_SYS_ADMIN. Each function enters the namespace of the descriptor `network`, and goes back to `own`.
// If it cannot go back it ends the process, which would otherwise answer later requests from the wrong
// namespace. 0 or an errno: EBADF without a descriptor, EINVAL for one of something else.
#pragma once

#include <cstdint>

#include "start/protocol.h"

namespace desk {

// Opens a sock_diag(7) socket there, and the file net/ipv4/ip_local_port_range.
int OpenInNetwork(int network, int own, Passed& found);

// Opens a socket of the proc connector there and subscribes it (watch/connector_socket.h). `again`: an
// earlier call has done so too. Its subscription is then ended where the kernel counts them for the whole
// machine.
int OpenConnectorInNetwork(int network, int own, std::uint32_t number, bool again, Passed& found);

}  // namespace desk
