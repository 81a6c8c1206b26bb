// Sockets of the proc connector and their subscriptions: netlink(7), drivers/connector/cn_proc.c. The service
// opens its own, or desk-namespaces one for it.
#pragma once

#include <cstdint>

#include "core/fd.h"
#include "core/unavailable.h"

namespace desk {

// Sets the receive buffer, for a burst; 0 = the default.
void SizeConnectorBuffer(int socket, std::uint32_t wanted);

// Opens a socket in the network namespace of the calling thread and subscribes it. The acknowledgement, which
// is not waited for, carries `number` + 1. Empty when it worked.
Unavailable OpenConnectorSocket(std::uint32_t number, std::uint32_t buffer_bytes, Fd& opened);

// Since Linux 6.6 this ends the subscription of this socket. Before, it lowers the count of the kernel by
// one, and needs CAP_NET_ADMIN.
void EndSubscription(int socket);

// The same before Linux 6.6; since then it ends none.
void EndCountedSubscription();

}  // namespace desk
