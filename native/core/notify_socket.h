// One datagram to an AF_UNIX socket: to the service manager (NOTIFY_SOCKET, sd_notify(3), "Notes") or to the
// journal (/run/systemd/journal/socket, native journal protocol).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace desk {

// `address`: an absolute path, or "@" and the name of an abstract socket (unix(7)). Never waits. 0 or an
// errno: EINVAL for another address, EAGAIN when the receiver's buffer is full, EMSGSIZE for more than our
// own.
int SendDatagram(std::string_view address, std::span<const std::uint8_t> message);

}  // namespace desk
