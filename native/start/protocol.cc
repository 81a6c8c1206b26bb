#include "start/protocol.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace desk {
namespace {

constexpr std::size_t kControlBytes = CMSG_SPACE(kMostPassed * sizeof(int));

struct Control {
  alignas(cmsghdr) std::array<std::byte, kControlBytes> bytes{};
};

}  // namespace

Result<StarterChannel> MakeStarterChannel() {
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return Errno{errno};
  StarterChannel channel{.ours = Fd(pair[0]), .theirs = Fd(pair[1])};
  const timeval timeout{.tv_sec = 5, .tv_usec = 0};
  if (::setsockopt(channel.ours.get(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout) != 0)
    return Errno{errno};
  return channel;
}

int SendMessage(int socket, std::span<const std::byte> message, std::span<const int> fds) {
  if (fds.size() > kMostPassed) return EINVAL;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): sendmsg(2) only reads it
  iovec part{.iov_base = const_cast<std::byte*>(message.data()), .iov_len = message.size()};
  Control control;
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  if (!fds.empty()) {
    header.msg_control = control.bytes.data();
    header.msg_controllen = CMSG_SPACE(fds.size_bytes());
    cmsghdr* const rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(fds.size_bytes());
    std::memcpy(CMSG_DATA(rights), fds.data(), fds.size_bytes());
  }
  ssize_t sent = 0;
  do {
    sent = ::sendmsg(socket, &header, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? errno : 0;
}

int ReceiveMessage(int socket, std::span<std::byte> message, Passed& passed, int flags) {
  iovec part{.iov_base = message.data(), .iov_len = message.size()};
  Control control;
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.bytes.data();
  header.msg_controllen = control.bytes.size();
  ssize_t got = 0;
  do {
    got = ::recvmsg(socket, &header, flags | MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return errno;
  if (got == 0) return EPIPE;
  std::size_t at = 0;
  for (cmsghdr* one = CMSG_FIRSTHDR(&header); one != nullptr; one = CMSG_NXTHDR(&header, one)) {
    if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (one->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t number = 0; number < count; ++number) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(one) + number * sizeof(int), sizeof fd);
      Fd held(fd);
      if (at < kMostPassed) passed.fds[at++] = std::move(held);
    }
  }
  const bool whole =
      static_cast<std::size_t>(got) == message.size() && (header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0;
  return whole ? 0 : EBADMSG;
}

}  // namespace desk
