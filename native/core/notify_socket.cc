#include "core/notify_socket.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "core/fd.h"

namespace desk {

int SendDatagram(std::string_view address, std::span<const std::uint8_t> message) {
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  const bool abstract = address.starts_with('@');
  if ((!abstract && !address.starts_with('/')) || address.size() < 2 ||
      address.size() >= sizeof to.sun_path || address.find('\0') != std::string_view::npos)
    return EINVAL;
  std::memcpy(to.sun_path, address.data(), address.size());
  if (abstract) to.sun_path[0] = '\0';
  const Fd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket.valid()) return errno;
  // The length ends an abstract name, a NUL byte ends a path.
  const auto length =
      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address.size() + (abstract ? 0 : 1));
  ssize_t sent = 0;
  do {
    sent = ::sendto(socket.get(), message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
                    reinterpret_cast<const sockaddr*>(&to), length);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? errno : 0;
}

}  // namespace desk
