// Sockets of other network namespaces: network_namespaces(7), setns(2), sock_diag(7).
#pragma once

#include "start/protocol.h"

namespace desk {

// Enters the namespace of the descriptor `network`, opens a sock_diag(7) socket there and its file
// net/ipv4/ip_local_port_range, and goes back to `own`. The calling process has one thread and CAP_SYS_ADMIN.
// 0 or an errno: EBADF without a descriptor, EINVAL for one of something else. Ends the process when it
// cannot go back: it would answer later requests from the wrong namespace.
int OpenInNetwork(int network, int own, Passed& found);

}  // namespace desk
