#include "start/network.h"

#include <fcntl.h>
#include <linux/netlink.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace desk {

int OpenInNetwork(int network, int own, Passed& found) {
  if (network < 0) return EBADF;
  if (::setns(network, CLONE_NEWNET) != 0) return errno;
  found.fds[0] = Fd(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  const int error = found.fds[0].valid() ? 0 : errno;
  found.fds[1] = Fd(::open("/proc/sys/net/ipv4/ip_local_port_range", O_RDONLY | O_CLOEXEC));
  if (::setns(own, CLONE_NEWNET) != 0) ::_exit(EXIT_FAILURE);
  return error;
}

}  // namespace desk
