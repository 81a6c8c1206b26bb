// The service desk-namespaces: opens sock_diag sockets in other network namespaces, and sockets of the proc
// connector, for a desk that runs under an account of its own. systemd listens for it (sd_listen_fds(3)) on a
// socket of type SOCK_SEQPACKET that belongs to that account.
#pragma once

namespace desk {

// Where the unit desk-namespaces.socket listens: src/install/namespaces.ts.
inline constexpr const char* kNamespacesSocket = "/run/desk-namespaces.sock";

// Answers one request for each connection, one connection at a time: a StartRequest of kNetwork or kConnector
// with the namespace as its descriptor. Only the owner of the socket is answered. Keeps no capabilities but
// CAP_SYS_ADMIN and CAP_NET_ADMIN. Returns only when it cannot serve; the message says why.
const char* ServeNamespaces();

}  // namespace desk
