#include "start/network.h"

#include <fcntl.h>
#include <linux/netlink.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "watch/connector_socket.h"

namespace desk {
namespace {

template <typename Open>
int Inside(int network, int own, Open open) {
  if (network < 0) return EBADF;
  if (::setns(network, CLONE_NEWNET) != 0) return errno;
  const int error = open();
  if (::setns(own, CLONE_NEWNET) != 0) ::_exit(EXIT_FAILURE);
  return error;
}

}  // namespace

int OpenInNetwork(int network, int own, Passed& found) {
  return Inside(
      network, own,
      [&found] {
        found.fds[0] = Fd(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
        const int error = found.fds[0].valid() ? 0 : errno;
        found.fds[1] = Fd(::open("/proc/sys/net/ipv4/ip_local_port_range", O_RDONLY | O_CLOEXEC));
        return error;
      });
}

int OpenConnectorInNetwork(int network, int own, std::uint32_t number, bool again, Passed& found) {
  return Inside(
      network, own,
      [&] {
        const int error = OpenConnectorSocket(number, 0, found.fds[0]).error;
        if (error == 0 && again) EndCountedSubscription();
        return error;
      });
}

}  // namespace desk
