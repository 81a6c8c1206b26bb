// Binds a UDP-Lite socket (udplite(7)) of each family on loopback, writes their ports as a line, and holds
// them until its input ends. Code 3: this kernel has no UDP-Lite.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace {

// The port; 0 when it could not be bound.
template <class Address>
int Bound(Address address, int family) {
  const int fd = ::socket(family, SOCK_DGRAM, IPPROTO_UDPLITE);
  if (fd < 0) return 0;
  socklen_t size = sizeof(address);
  if (::bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0) return 0;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  if constexpr (sizeof(Address) == sizeof(sockaddr_in6))
    return ntohs(address.sin6_port);
  else
    return ntohs(address.sin_port);
}

}  // namespace

int main() {
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_addr = in6addr_loopback;
  const int port4 = Bound(four, AF_INET);
  if (port4 == 0) return errno == EPROTONOSUPPORT ? 3 : 1;
  std::printf("%d %d\n", port4, Bound(six, AF_INET6));
  std::fflush(stdout);
  char byte = 0;
  while (::read(STDIN_FILENO, &byte, 1) > 0) continue;
}
