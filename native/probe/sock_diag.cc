#include "probe/sock_diag.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "core/netlink.h"

namespace desk {
namespace {

// struct nlattr list after an inet_diag_msg. False for an invalid length.
bool DecodeAttributes(std::span<const std::byte> bytes, InetSocket& socket) {
  while (bytes.size() >= sizeof(nlattr)) {
    nlattr attribute{};
    if (!TakeAt(bytes, 0, attribute) || attribute.nla_len < sizeof(nlattr) ||
        attribute.nla_len > bytes.size())
      return false;
    const auto payload = bytes.subspan(sizeof(nlattr), attribute.nla_len - sizeof(nlattr));
    if ((attribute.nla_type & NLA_TYPE_MASK) == INET_DIAG_SKV6ONLY && !payload.empty())
      socket.v6only = std::to_integer<unsigned>(payload[0]) != 0;
    const std::size_t step = NLA_ALIGN(attribute.nla_len);
    bytes = step >= bytes.size() ? std::span<const std::byte>{} : bytes.subspan(step);
  }
  return true;
}

bool DecodeSocket(std::span<const std::byte> payload, InetSocket& socket) {
  inet_diag_msg message{};
  if (!TakeAt(payload, 0, message)) return false;
  if (message.idiag_family != AF_INET && message.idiag_family != AF_INET6) return false;
  socket.family = message.idiag_family == AF_INET ? 4 : 6;
  socket.state = message.idiag_state;
  socket.source_port = ntohs(message.id.idiag_sport);
  socket.destination_port = ntohs(message.id.idiag_dport);
  // Of a v4 socket only the first word is an address; the rest may be undefined.
  const std::size_t width = socket.family == 4 ? 4 : 16;
  std::memcpy(socket.source.data(), message.id.idiag_src, width);
  std::memcpy(socket.destination.data(), message.id.idiag_dst, width);
  socket.uid = message.idiag_uid;
  socket.inode = message.idiag_inode;
  const std::size_t header = NLMSG_ALIGN(sizeof(message));
  return payload.size() <= header || DecodeAttributes(payload.subspan(header), socket);
}

// NLMSG_ERROR carries struct nlmsgerr, NLMSG_DONE of a dump its return value; both begin with a negative
// errno or 0.
int CarriedError(std::span<const std::byte> payload) {
  std::int32_t code = 0;
  if (!TakeAt(payload, 0, code)) return EBADMSG;
  if (code > 0 || code < -4095) return EBADMSG;
  return -code;
}

// A dump's datagrams hold at most 32 KiB (netlink_dump() in net/netlink/af_netlink.c).
constexpr std::size_t kBufferBytes = 64 << 10;
// The kernel answers in the calling thread; this only limits the wait if it does not.
constexpr timeval kReceiveTimeout{.tv_sec = 2, .tv_usec = 0};
constexpr int kDumpAttempts = 4;
// More datagrams than any table of kMaxSockets rows needs.
constexpr int kMaxDatagrams = 1 << 17;
constexpr std::array<std::uint8_t, 12> kMappedPrefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

// INET_DIAG_REQ_BYTECODE: "port >= p, and <= p" of the destination or the source, each a test that jumps
// `yes` or `no` bytes ahead. A jump to the end accepts, four bytes further rejects (inet_diag_bc_run() in
// net/ipv4/inet_diag.c). D_EQ would do it in one step, but needs Linux 4.16.
struct PortFilter {
  nlattr header;
  inet_diag_bc_op at_least;
  inet_diag_bc_op at_least_port;
  inet_diag_bc_op at_most;
  inet_diag_bc_op at_most_port;
};
static_assert(sizeof(PortFilter) == 20);

PortFilter FilterFor(unsigned char at_least, unsigned char at_most, std::uint16_t port) {
  return {.header = {.nla_len = sizeof(PortFilter), .nla_type = INET_DIAG_REQ_BYTECODE},
          .at_least = {.code = at_least, .yes = 8, .no = 20},
          .at_least_port = {.code = 0, .yes = 0, .no = port},
          .at_most = {.code = at_most, .yes = 8, .no = 12},
          .at_most_port = {.code = 0, .yes = 0, .no = port}};
}

struct Request {
  nlmsghdr header;
  inet_diag_req_v2 body;
  PortFilter filter;
};
static_assert(sizeof(Request) == sizeof(nlmsghdr) + sizeof(inet_diag_req_v2) + sizeof(PortFilter));

Request RequestFor(std::uint8_t family, std::uint8_t protocol, std::uint16_t flags, std::uint32_t sequence) {
  Request request{};
  request.header = {.nlmsg_len = sizeof(nlmsghdr) + sizeof(inet_diag_req_v2),
                    .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                    .nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | flags),
                    .nlmsg_seq = sequence,
                    .nlmsg_pid = 0};
  request.body.sdiag_family = family == 4 ? AF_INET : AF_INET6;
  request.body.sdiag_protocol = protocol;
  request.body.id.idiag_cookie[0] = INET_DIAG_NOCOOKIE;
  request.body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  return request;
}

std::span<const std::byte> BytesOf(const Request& request) {
  return std::as_bytes(std::span(&request, 1)).first(request.header.nlmsg_len);
}

// The four bytes of a v4 or v4-mapped address; empty for any other.
std::span<const std::uint8_t> PlainV4(std::span<const std::uint8_t> address) {
  if (address.size() == 4) return address;
  const bool mapped =
      address.size() == 16 && std::equal(kMappedPrefix.begin(), kMappedPrefix.end(), address.begin());
  return mapped ? address.subspan(12) : std::span<const std::uint8_t>{};
}

bool SameAddress(std::span<const std::uint8_t> one, std::span<const std::uint8_t> other) {
  const auto plain_one = PlainV4(one);
  const auto plain_other = PlainV4(other);
  if (!plain_one.empty() || !plain_other.empty()) return std::ranges::equal(plain_one, plain_other);
  return std::ranges::equal(one, other);
}

std::span<const std::uint8_t> AddressOf(const InetSocket& socket,
                                        const std::array<std::uint8_t, 16>& address) {
  return std::span(address).first(socket.family == 4 ? 4 : 16);
}

}  // namespace

DiagPart DecodeDiag(std::span<const std::byte> bytes, std::uint32_t sequence,
                    std::vector<InetSocket>& sockets) {
  DiagPart part;
  while (!part.done && !bytes.empty()) {
    nlmsghdr header{};
    std::span<const std::byte> payload;
    if (!TakeMessage(bytes, header, payload))
      return {.done = true, .interrupted = part.interrupted, .error = EBADMSG};
    if (header.nlmsg_seq != sequence) continue;
    if ((header.nlmsg_flags & NLM_F_DUMP_INTR) != 0) part.interrupted = true;
    if (header.nlmsg_type == NLMSG_DONE) {
      part.done = true;
      // A kernel may omit the value.
      if (!payload.empty()) part.error = CarriedError(payload);
    } else if (header.nlmsg_type == NLMSG_ERROR) {
      part.done = true;
      part.error = CarriedError(payload);
    } else if (header.nlmsg_type == SOCK_DIAG_BY_FAMILY) {
      InetSocket socket;
      if (!DecodeSocket(payload, socket)) {
        part.done = true;
        part.error = EBADMSG;
        break;
      }
      sockets.push_back(socket);
      // The answer to an exact query is one message without NLMSG_DONE.
      if ((header.nlmsg_flags & NLM_F_MULTI) == 0) part.done = true;
    }
  }
  return part;
}

// Never destroyed: worker threads may still dump while the process ends.
SockDiag& SockDiag::ForDumps() {
  static auto* const instance = new SockDiag;
  return *instance;
}

SockDiag& SockDiag::ForPeers() {
  static auto* const instance = new SockDiag;
  return *instance;
}

int SockDiag::Open() {
  if (socket_.valid() && !buffer_.empty()) return 0;
  if (given_ && !socket_.valid()) return ENOTCONN;
  Fd opened =
      given_ ? std::move(socket_) : Fd(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  if (!opened.valid()) return errno;
  if (::setsockopt(opened.get(), SOL_SOCKET, SO_RCVTIMEO, &kReceiveTimeout, sizeof(kReceiveTimeout)) != 0)
    return errno;
  if (buffer_.empty()) buffer_.resize(kBufferBytes);
  socket_ = std::move(opened);
  return 0;
}

Result<std::size_t> SockDiag::Receive() {
  for (;;) {
    sockaddr_nl sender{};
    iovec part{.iov_base = buffer_.data(), .iov_len = buffer_.size()};
    msghdr message{};
    message.msg_name = &sender;
    message.msg_namelen = sizeof(sender);
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    const ssize_t received = ::recvmsg(socket_.get(), &message, 0);
    if (received < 0) {
      if (errno == EINTR) continue;
      return Errno{errno == EAGAIN ? ETIMEDOUT : errno};
    }
    if ((message.msg_flags & MSG_TRUNC) != 0) return Errno{EMSGSIZE};
    if (received == 0) return Errno{EBADMSG};
    // Any process may send to our netlink address; only port 0 is the kernel.
    if (sender.nl_pid == 0) return static_cast<std::size_t>(received);
  }
}

Result<std::vector<InetSocket>> SockDiag::Collect(std::uint32_t sequence, bool& interrupted) {
  std::vector<InetSocket> sockets;
  for (int datagram = 0; datagram < kMaxDatagrams; ++datagram) {
    const Result<std::size_t> received = Receive();
    if (!received) return received.refusal();
    const DiagPart part = DecodeDiag(std::span(buffer_).first(*received), sequence, sockets);
    interrupted |= part.interrupted;
    if (part.error != 0) return Errno{part.error};
    if (part.done) return sockets;
  }
  return Errno{EMSGSIZE};
}

Result<std::vector<InetSocket>> SockDiag::DumpOnce(const DiagQuery& query, bool& interrupted) {
  if (const int error = Open(); error != 0) return Errno{error};
  Request request = RequestFor(query.family, query.protocol, NLM_F_DUMP, ++sequence_);
  request.body.idiag_states = query.states;
  if (query.destination_port != 0 || query.source_port != 0) {
    request.filter = query.destination_port != 0
                         ? FilterFor(INET_DIAG_BC_D_GE, INET_DIAG_BC_D_LE, query.destination_port)
                         : FilterFor(INET_DIAG_BC_S_GE, INET_DIAG_BC_S_LE, query.source_port);
    request.header.nlmsg_len = sizeof(Request);
  }
  if (const int error = SendToKernel(socket_.get(), BytesOf(request)); error != 0) return Errno{error};
  return Collect(sequence_, interrupted);
}

Result<std::vector<InetSocket>> SockDiag::Dump(const DiagQuery& query) {
  // For an unknown protocol the kernel tries to load a module each time: query it once.
  static std::atomic<bool> has_lite = true;
  const std::lock_guard guard(mutex_);
  Result<std::vector<InetSocket>> found = DumpWhole(query);
  if (!found || query.protocol != IPPROTO_UDP || !has_lite) return found;
  DiagQuery lite = query;
  lite.protocol = IPPROTO_UDPLITE;
  const Result<std::vector<InetSocket>> more = DumpWhole(lite);
  if (more.error() == ENOENT) {
    has_lite = false;
    return found;
  }
  if (!more) return more.refusal();
  std::vector<InetSocket>& all = *found;
  all.insert(all.end(), more->begin(), more->end());
  return found;
}

Result<std::vector<InetSocket>> SockDiag::DumpWhole(const DiagQuery& query) {
  for (int attempt = 0; attempt < kDumpAttempts; ++attempt) {
    bool interrupted = false;
    Result<std::vector<InetSocket>> sockets = DumpOnce(query, interrupted);
    // After an aborted dump its datagrams would be read by the next query: use a new socket. An unknown
    // protocol is a complete answer.
    if (!sockets) {
      if (sockets.error() != ENOENT) socket_ = Fd();
      return sockets;
    }
    if (!interrupted) {
      std::erase_if(*sockets, [&](const InetSocket& socket) {
        return (query.states >> (socket.state & 31) & 1) == 0 ||
               (query.destination_port != 0 && socket.destination_port != query.destination_port) ||
               (query.source_port != 0 && socket.source_port != query.source_port);
      });
      return sockets;
    }
  }
  return Errno{EAGAIN};
}

Result<std::uint32_t> SockDiag::Creator(const DiagPeer& peer) {
  // The kernel searches v4-mapped pairs among the v4 sockets, which include dual-stack v6 sockets.
  const auto source = PlainV4(peer.source);
  const auto destination = PlainV4(peer.destination);
  if (source.empty() != destination.empty()) return Errno{EINVAL};
  const bool v4 = !source.empty();

  const std::lock_guard guard(mutex_);
  if (const int error = Open(); error != 0) return Errno{error};
  Request request = RequestFor(v4 ? 4 : 6, IPPROTO_TCP, 0, ++sequence_);
  request.body.idiag_states = ~0u;
  request.body.id.idiag_sport = htons(peer.source_port);
  request.body.id.idiag_dport = htons(peer.destination_port);
  std::ranges::copy(v4 ? source : peer.source, reinterpret_cast<std::uint8_t*>(request.body.id.idiag_src));
  std::ranges::copy(v4 ? destination : peer.destination,
                    reinterpret_cast<std::uint8_t*>(request.body.id.idiag_dst));

  bool interrupted = false;
  Result<std::vector<InetSocket>> found = Errno{SendToKernel(socket_.get(), BytesOf(request))};
  if (found.error() == 0) found = Collect(sequence_, interrupted);
  if (!found) {
    // "No such socket" is a complete answer; after any other error use a new netlink socket.
    if (found.error() != ENOENT) socket_ = Fd();
    return found.refusal();
  }
  if (found->size() != 1) return Errno{ENOENT};
  const InetSocket& socket = found->front();
  // Without an established pair the kernel falls back to a listener on the same port: that is not the peer.
  if (socket.state == kTcpListen || socket.source_port != peer.source_port ||
      socket.destination_port != peer.destination_port ||
      !SameAddress(AddressOf(socket, socket.source), peer.source) ||
      !SameAddress(AddressOf(socket, socket.destination), peer.destination))
    return Errno{ENOENT};
  if (socket.inode == 0) return Errno{ENOTCONN};
  return socket.uid;
}

}  // namespace desk
