// netlink(7): what the requests and the parsers of both families share.
#pragma once

#include <linux/netlink.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>

namespace desk {

// The value at `offset`, copied: netlink guarantees 4-byte alignment at most. False when it is not whole.
template <class T>
bool TakeAt(std::span<const std::byte> bytes, std::size_t offset, T& value) {
  if (bytes.size() < offset + sizeof(T)) return false;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return true;
}

// Takes the message at the front of `bytes`, with its padding; false for an invalid length.
inline bool TakeMessage(std::span<const std::byte>& bytes, nlmsghdr& header,
                        std::span<const std::byte>& payload) {
  if (!TakeAt(bytes, 0, header) || header.nlmsg_len < sizeof(header) || header.nlmsg_len > bytes.size())
    return false;
  payload = bytes.subspan(sizeof(header), header.nlmsg_len - sizeof(header));
  const std::size_t step = NLMSG_ALIGN(header.nlmsg_len);
  bytes = step >= bytes.size() ? std::span<const std::byte>{} : bytes.subspan(step);
  return true;
}

// Sends a request to the kernel; 0 or an errno.
inline int SendToKernel(int socket, std::span<const std::byte> request) {
  sockaddr_nl kernel{};
  kernel.nl_family = AF_NETLINK;
  for (;;) {
    const ssize_t sent = ::sendto(socket, request.data(), request.size(), 0,
                                  reinterpret_cast<const sockaddr*>(&kernel), sizeof(kernel));
    if (sent >= 0) return static_cast<std::size_t>(sent) == request.size() ? 0 : EMSGSIZE;
    if (errno != EINTR) return errno;
  }
}

}  // namespace desk
