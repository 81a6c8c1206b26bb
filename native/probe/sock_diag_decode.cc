#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>

#include <cerrno>
#include <cstring>

#include "probe/sock_diag.h"

namespace desk {
namespace {

// The value of type T at the front of `bytes`, copied: netlink guarantees 4-byte alignment, test data does
// not.
template <class T>
bool Take(std::span<const std::byte> bytes, T& value) {
  if (bytes.size() < sizeof(T)) return false;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return true;
}

// struct nlattr list after an inet_diag_msg. False for an invalid length.
bool DecodeAttributes(std::span<const std::byte> bytes, InetSocket& socket) {
  while (bytes.size() >= sizeof(nlattr)) {
    nlattr attribute{};
    if (!Take(bytes, attribute) || attribute.nla_len < sizeof(nlattr) || attribute.nla_len > bytes.size())
      return false;
    const auto payload = bytes.subspan(sizeof(nlattr), attribute.nla_len - sizeof(nlattr));
    if ((attribute.nla_type & NLA_TYPE_MASK) == INET_DIAG_SKV6ONLY && !payload.empty()) {
      socket.v6only = std::to_integer<unsigned>(payload[0]) != 0;
    }
    const std::size_t step = NLA_ALIGN(attribute.nla_len);
    bytes = step >= bytes.size() ? std::span<const std::byte>{} : bytes.subspan(step);
  }
  return true;
}

bool DecodeSocket(std::span<const std::byte> payload, InetSocket& socket) {
  inet_diag_msg message{};
  if (!Take(payload, message)) return false;
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
  if (!Take(payload, code)) return EBADMSG;
  if (code > 0 || code < -4095) return EBADMSG;
  return -code;
}

}  // namespace

DiagPart DecodeDiag(std::span<const std::byte> bytes, std::uint32_t sequence,
                    std::vector<InetSocket>& sockets) {
  DiagPart part;
  while (!part.done && !bytes.empty()) {
    nlmsghdr header{};
    if (!Take(bytes, header) || header.nlmsg_len < sizeof(header) || header.nlmsg_len > bytes.size()) {
      return {.done = true, .interrupted = part.interrupted, .error = EBADMSG};
    }
    const auto payload = bytes.subspan(sizeof(header), header.nlmsg_len - sizeof(header));
    const std::size_t step = NLMSG_ALIGN(header.nlmsg_len);
    bytes = step >= bytes.size() ? std::span<const std::byte>{} : bytes.subspan(step);
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

}  // namespace desk
