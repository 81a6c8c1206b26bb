#include "watch/connector_socket.h"

#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include "core/netlink.h"

namespace desk {
namespace {

constexpr int kForcedBufferBytes = 16 << 20;
constexpr int kOrdinaryBufferBytes = 8 << 20;

// nlmsghdr, cn_msg and the four-byte form of the subscription: a socket that subscribed with an event mask
// does not receive its own acknowledgement (cn_filter() in cn_proc.c).
constexpr std::size_t kSubscriptionBytes = sizeof(nlmsghdr) + sizeof(cn_msg) + sizeof(std::uint32_t);
static_assert(kSubscriptionBytes == 40);

std::array<std::byte, kSubscriptionBytes> SubscriptionFor(std::uint32_t operation, std::uint32_t number) {
  const nlmsghdr header{.nlmsg_len = kSubscriptionBytes,
                        .nlmsg_type = NLMSG_DONE,
                        .nlmsg_flags = 0,
                        .nlmsg_seq = 0,
                        .nlmsg_pid = 0};
  cn_msg message{};
  message.id = {.idx = CN_IDX_PROC, .val = CN_VAL_PROC};
  message.ack = number;
  message.len = sizeof(operation);
  std::array<std::byte, kSubscriptionBytes> bytes{};
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::memcpy(bytes.data() + sizeof(header), &message, sizeof(message));
  std::memcpy(bytes.data() + sizeof(header) + sizeof(message), &operation, sizeof(operation));
  return bytes;
}

Fd MakeSocket() {
  return Fd(::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_CONNECTOR));
}

}  // namespace

void SizeConnectorBuffer(int socket, std::uint32_t wanted) {
  const int forced = wanted != 0 ? static_cast<int>(wanted) : kForcedBufferBytes;
  if (::setsockopt(socket, SOL_SOCKET, SO_RCVBUFFORCE, &forced, sizeof(forced)) == 0) return;
  // Without CAP_NET_ADMIN the kernel silently limits the size to net.core.rmem_max: socket(7).
  const int ordinary = wanted != 0 ? static_cast<int>(wanted) : kOrdinaryBufferBytes;
  ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &ordinary, sizeof(ordinary));
}

Unavailable OpenConnectorSocket(std::uint32_t number, std::uint32_t buffer_bytes, Fd& opened) {
  Fd made = MakeSocket();
  if (!made.valid()) return {errno, "socket"};
  SizeConnectorBuffer(made.get(), buffer_bytes);
  sockaddr_nl own{};
  own.nl_family = AF_NETLINK;
  own.nl_groups = CN_IDX_PROC;
  if (::bind(made.get(), reinterpret_cast<const sockaddr*>(&own), sizeof(own)) != 0)
    return {errno, "bind (before Linux 6.6 it needs CAP_NET_ADMIN)"};
  if (const int error = SendToKernel(made.get(), SubscriptionFor(PROC_CN_MCAST_LISTEN, number)); error != 0)
    return {error, "subscription (another network namespace?)"};
  opened = std::move(made);
  return {};
}

void EndSubscription(int socket) { SendToKernel(socket, SubscriptionFor(PROC_CN_MCAST_IGNORE, 0)); }

void EndCountedSubscription() {
  // Since Linux 6.6 a socket that has not subscribed ends nothing.
  if (const Fd made = MakeSocket(); made.valid()) EndSubscription(made.get());
}

}  // namespace desk
