// The protocol between the service and desk-start, over a socket of type SOCK_SEQPACKET (unix(7)): one
// message each way, with descriptors (SCM_RIGHTS).
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <span>

#include "core/fd.h"
#include "core/result.h"

namespace desk {

enum class StartWhat : std::uint32_t {
  // Starts desk-peek. Descriptor: its input and output.
  kPeek = 1,
  // Starts the mail process. Descriptor: its channel. `value`: 1 = it reads files of any owner.
  kMail = 2,
  // Sockets of another network namespace. Descriptor: that namespace. Answered with a sock_diag(7) socket
  // made in it, and its file net/ipv4/ip_local_port_range.
  kNetwork = 3,
  // Binds a socket to `address`, whose port needs CAP_NET_BIND_SERVICE. Descriptor: that socket, TCP or UDP
  // and not bound yet. The service has made it, so that the kernel lists it under its uid.
  kBind = 4,
  // A socket of the proc connector (watch/connector_socket.h). Descriptor: the network namespace to open it
  // in. `value`: the number that the kernel acknowledges the subscription with. Only desk-namespaces answers
  // it.
  kConnector = 5,
};

struct StartRequest {
  StartWhat what{};
  std::uint32_t value = 0;
  // Of kBind.
  sockaddr_storage address{};
  socklen_t length = 0;
};

struct StartAnswer {
  // 0, or the errno of what failed.
  std::int32_t error = 0;
  // Of the process that was started; of desk-start itself in its first message.
  pid_t pid = 0;
};

// Most descriptors in a message.
inline constexpr std::size_t kMostPassed = 2;
struct Passed {
  std::array<Fd, kMostPassed> fds;
};

struct StarterChannel {
  // Of the service; a message is waited for five seconds, then ReceiveMessage returns EAGAIN. That lasts over
  // execve(2).
  Fd ours;
  // Of desk-start.
  Fd theirs;
};

// Both ends, closed at execve(2).
Result<StarterChannel> MakeStarterChannel();

// Sends a message with descriptors, which stay open here; 0 or an errno, EPIPE when the other side is closed.
int SendMessage(int socket, std::span<const std::byte> message, std::span<const int> fds);
// Receives a message of exactly this size, with `flags` of recvmsg(2); EPIPE when the other side is closed.
// EBADMSG for another size or too many descriptors: the message is consumed nevertheless.
int ReceiveMessage(int socket, std::span<std::byte> message, Passed& passed, int flags = 0);

}  // namespace desk
