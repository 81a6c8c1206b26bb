#include "watch/connector.h"

#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "core/netlink.h"
#include "watch/clock.h"

namespace desk {
namespace {

constexpr int kForcedBufferBytes = 16 << 20;
constexpr int kOrdinaryBufferBytes = 8 << 20;
// What an event takes of the receive buffer (sk_buff, its data and skb_shared_info): about 832 bytes.
constexpr std::uint32_t kEventRoomBytes = 1024;
constexpr std::int64_t kAcknowledgementNs = 200'000'000;
// An event is 76 bytes with its headers; truncation is detected (MSG_TRUNC).
constexpr std::size_t kDatagramBytes = 256;
constexpr unsigned kBatch = 64;

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

// Room for a burst.
void SizeBuffer(int socket, std::uint32_t wanted) {
  const int forced = wanted != 0 ? static_cast<int>(wanted) : kForcedBufferBytes;
  if (::setsockopt(socket, SOL_SOCKET, SO_RCVBUFFORCE, &forced, sizeof(forced)) == 0) return;
  // Without CAP_NET_ADMIN the kernel silently limits the size to net.core.rmem_max: socket(7).
  const int ordinary = wanted != 0 ? static_cast<int>(wanted) : kOrdinaryBufferBytes;
  ::setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &ordinary, sizeof(ordinary));
}

}  // namespace

// Buffers for recvmmsg(2), set up once.
struct ProcConnector::Inbox {
  Inbox() {
    for (std::size_t at = 0; at < kBatch; ++at) Ready(at);
  }
  void Ready(std::size_t at) {
    parts[at] = {.iov_base = datagrams[at].data(), .iov_len = kDatagramBytes};
    messages[at] = {};
    messages[at].msg_hdr.msg_name = &senders[at];
    messages[at].msg_hdr.msg_namelen = sizeof(sockaddr_nl);
    messages[at].msg_hdr.msg_iov = &parts[at];
    messages[at].msg_hdr.msg_iovlen = 1;
  }
  std::array<std::array<std::byte, kDatagramBytes>, kBatch> datagrams{};
  std::array<sockaddr_nl, kBatch> senders{};
  std::array<iovec, kBatch> parts{};
  std::array<mmsghdr, kBatch> messages{};
};

ProcConnector::ProcConnector() : inbox_(std::make_unique<Inbox>()) {}

ProcConnector::~ProcConnector() {
  if (subscribed_) Send(PROC_CN_MCAST_IGNORE, 0);
}

int ProcConnector::Send(std::uint32_t operation, std::uint32_t number) {
  return SendToKernel(socket_.get(), SubscriptionFor(operation, number));
}

Unavailable ProcConnector::AwaitAcknowledgement(std::uint32_t number) {
  const std::int64_t until = MonotonicNs() + kAcknowledgementNs;
  ProcBatch batch;
  for (;;) {
    Receive(batch);
    if (batch.broken != 0) return {batch.broken, "receive"};
    for (const ProcEvent& event : batch.events) {
      // Acknowledgements go to all subscribers; ours carries our number plus one (cn_proc_ack()).
      if (event.kind != ProcEventKind::kAcknowledgement || event.acknowledged != number + 1) continue;
      if (event.error != 0) return {static_cast<int>(event.error), "subscription"};
      return {};
    }
    const std::int64_t left = until - MonotonicNs();
    if (left <= 0) return {0, "no acknowledgement within 200 ms (another pid or user namespace?)"};
    if (batch.more) continue;
    pollfd readable{.fd = socket_.get(), .events = POLLIN, .revents = 0};
    ::poll(&readable, 1, static_cast<int>(left / 1'000'000) + 1);
  }
}

Unavailable ProcConnector::Open(std::uint32_t buffer_bytes) {
  Fd opened(::socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_CONNECTOR));
  if (!opened.valid()) return {errno, "socket"};
  SizeBuffer(opened.get(), buffer_bytes);
  sockaddr_nl own{};
  own.nl_family = AF_NETLINK;
  own.nl_groups = CN_IDX_PROC;
  if (::bind(opened.get(), reinterpret_cast<const sockaddr*>(&own), sizeof(own)) != 0)
    return {errno, "bind (before Linux 6.6 it needs CAP_NET_ADMIN)"};
  socket_ = std::move(opened);
  // Unique: subscribers with the same number would mix up their acknowledgements.
  const auto number =
      static_cast<std::uint32_t>(::getpid()) * 2654435761u ^ static_cast<std::uint32_t>(MonotonicNs());
  if (const int error = Send(PROC_CN_MCAST_LISTEN, number); error != 0) {
    socket_ = Fd();
    return {error, "subscription (another network namespace?)"};
  }
  subscribed_ = true;
  Unavailable silent = AwaitAcknowledgement(number);
  if (!silent.empty()) {
    Send(PROC_CN_MCAST_IGNORE, 0);
    subscribed_ = false;
    socket_ = Fd();
  }
  return silent;
}

std::uint32_t ProcConnector::BufferBytes() const {
  int bytes = 0;
  socklen_t length = sizeof(bytes);
  if (::getsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &bytes, &length) != 0 || bytes < 0) return 0;
  return static_cast<std::uint32_t>(bytes);
}

std::size_t ProcConnector::Room() const { return BufferBytes() / kEventRoomBytes; }

void ProcConnector::Receive(ProcBatch& batch) {
  batch.events.clear();
  batch.lost = batch.overruns = 0;
  batch.more = false;
  batch.broken = 0;

  const int received = ::recvmmsg(socket_.get(), inbox_->messages.data(), kBatch, MSG_DONTWAIT, nullptr);
  if (received < 0) {
    if (errno == EAGAIN) return;
    batch.more = errno == EINTR || errno == ENOBUFS || errno == ENOMEM;
    if (errno == ENOBUFS) batch.overruns = 1;
    if (!batch.more) batch.broken = errno;
    return;
  }
  // An error after the first datagram is reported by the next call: recvmmsg(2).
  batch.more = received == static_cast<int>(kBatch);
  for (int at = 0; at < received; ++at) {
    const auto index = static_cast<std::size_t>(at);
    const mmsghdr& message = inbox_->messages[index];
    const bool whole = (message.msg_hdr.msg_flags & MSG_TRUNC) == 0;
    // Only port 0 is the kernel.
    if (inbox_->senders[index].nl_pid == 0 &&
        (!whole ||
         !DecodeProcEvents(std::span(inbox_->datagrams[index]).first(message.msg_len), batch.events)))
      ++batch.lost;
    inbox_->Ready(index);
  }
  for (const ProcEvent& event : batch.events) batch.lost += sequences_.Missed(event.cpu, event.sequence);
}

}  // namespace desk
