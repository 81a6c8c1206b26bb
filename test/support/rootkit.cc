// A rootkit for tests, like real ones in a preloaded library: it changes what the kernel appears to return to
// this one process. Load it by LD_PRELOAD into the process to deceive, and into no other.
//
//   HIDE_PIDS=12,34   left out of every directory listing
//   HIDE_FOLDERS=1    and their folders appear not to exist
//   HIDE_PORT=4711    left out of every sock_diag answer
#include <dlfcn.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <set>
#include <string>

namespace {

const std::set<std::string>& HiddenPids() {
  static const auto* const pids = [] {
    auto* made = new std::set<std::string>;
    const char* text = getenv("HIDE_PIDS");
    std::string rest = text == nullptr ? "" : text;
    while (!rest.empty()) {
      const size_t comma = rest.find(',');
      made->insert(rest.substr(0, comma));
      rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    }
    return made;
  }();
  return *pids;
}

// Drops the entries of hidden pids from what getdents64(2) wrote.
long DropEntries(char* bytes, long size) {
  constexpr long kLengthAt = 16;
  constexpr long kNameAt = 19;
  for (long at = 0; at < size;) {
    uint16_t length;
    memcpy(&length, bytes + at + kLengthAt, sizeof length);
    if (HiddenPids().contains(bytes + at + kNameAt)) {
      memmove(bytes + at, bytes + at + length, static_cast<size_t>(size - at - length));
      size -= length;
    } else {
      at += length;
    }
  }
  return size;
}

// Drops the sockets of the hidden port from a netlink datagram.
ssize_t DropSockets(char* bytes, ssize_t size, uint16_t port) {
  for (ssize_t at = 0; at + static_cast<ssize_t>(sizeof(nlmsghdr)) <= size;) {
    nlmsghdr header;
    memcpy(&header, bytes + at, sizeof header);
    const ssize_t length = NLMSG_ALIGN(header.nlmsg_len);
    if (length < static_cast<ssize_t>(sizeof header) || at + length > size) break;
    inet_diag_msg socket;
    bool drop = header.nlmsg_type == SOCK_DIAG_BY_FAMILY && header.nlmsg_len >= sizeof header + sizeof socket;
    if (drop) {
      memcpy(&socket, bytes + at + sizeof header, sizeof socket);
      drop = ntohs(socket.id.idiag_sport) == port;
    }
    if (drop) {
      memmove(bytes + at, bytes + at + length, static_cast<size_t>(size - at - length));
      size -= length;
    } else {
      at += length;
    }
  }
  return size;
}

template <class Function>
Function* Real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" long syscall(long number, ...) {
  static auto* const real = Real<long(long, ...)>("syscall");
  long a[6];
  va_list list;
  va_start(list, number);
  for (long& one : a) one = va_arg(list, long);
  va_end(list);
  if (number == SYS_openat2 && getenv("HIDE_FOLDERS") != nullptr &&
      HiddenPids().contains(reinterpret_cast<const char*>(a[1]))) {
    errno = ENOENT;
    return -1;
  }
  long result = real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (number == SYS_getdents64 && result > 0) {
    const long left = DropEntries(reinterpret_cast<char*>(a[1]), result);
    // An empty result would end the listing: read again.
    result = left > 0 ? left : syscall(number, a[0], a[1], a[2]);
  }
  return result;
}

extern "C" ssize_t recvmsg(int fd, msghdr* message, int flags) {
  static auto* const real = Real<ssize_t(int, msghdr*, int)>("recvmsg");
  const ssize_t size = real(fd, message, flags);
  const char* const port = getenv("HIDE_PORT");
  sockaddr_storage name{};
  socklen_t length = sizeof name;
  if (size <= 0 || port == nullptr || message->msg_iovlen != 1 ||
      getsockname(fd, reinterpret_cast<sockaddr*>(&name), &length) != 0 || name.ss_family != AF_NETLINK)
    return size;
  const ssize_t left =
      DropSockets(static_cast<char*>(message->msg_iov[0].iov_base), size, static_cast<uint16_t>(atoi(port)));
  // An empty datagram is not valid netlink: read again.
  return left > 0 ? left : recvmsg(fd, message, flags);
}
