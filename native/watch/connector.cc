#include "watch/connector.h"

#include <linux/netlink.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "privilege/privileges.h"
#include "start/client.h"
#include "watch/clock.h"
#include "watch/connector_socket.h"

namespace desk {
namespace {

// What an event takes of the receive buffer (sk_buff, its data and skb_shared_info): about 832 bytes.
constexpr std::uint32_t kEventRoomBytes = 1024;
constexpr std::int64_t kAcknowledgementNs = 200'000'000;
// An event is 76 bytes with its headers; truncation is detected (MSG_TRUNC).
constexpr std::size_t kDatagramBytes = 256;
constexpr unsigned kBatch = 64;

bool AdministersNetwork() {
  const Result<Capabilities> held = PermittedCapabilities();
  return held && (*held & CapabilityBits({CAP_NET_ADMIN})) != 0;
}

// Unique: subscribers with the same number would mix up their acknowledgements.
std::uint32_t NewNumber() {
  return static_cast<std::uint32_t>(::getpid()) * 2654435761u ^ static_cast<std::uint32_t>(MonotonicNs());
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
  if (socket_.valid()) EndSubscription(socket_.get());
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

Unavailable ProcConnector::Await(Fd subscribed, std::uint32_t number) {
  socket_ = std::move(subscribed);
  Unavailable silent = AwaitAcknowledgement(number);
  if (silent.empty()) return {};
  EndSubscription(socket_.get());
  socket_ = Fd();
  return silent;
}

Unavailable ProcConnector::OpenOwn(std::uint32_t buffer_bytes) {
  const std::uint32_t number = NewNumber();
  Fd opened;
  Unavailable refused = OpenConnectorSocket(number, buffer_bytes, opened);
  return refused.empty() ? Await(std::move(opened), number) : refused;
}

Unavailable ProcConnector::OpenThroughService(std::uint32_t buffer_bytes) {
  const std::uint32_t number = NewNumber();
  Fd opened;
  if (const int error = OpenConnector(number, opened); error != 0) return {error, "request"};
  if (buffer_bytes != 0) SizeConnectorBuffer(opened.get(), buffer_bytes);
  return Await(std::move(opened), number);
}

Unavailable ProcConnector::Open(std::uint32_t buffer_bytes) {
  if (AdministersNetwork()) return OpenOwn(buffer_bytes);
  const Unavailable service = OpenThroughService(buffer_bytes);
  if (service.empty()) return {};
  const Unavailable own = OpenOwn(buffer_bytes);
  if (own.empty()) return {};
  return {0, MessageOf(own) + "; through desk-namespaces.service: " + MessageOf(service)};
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
