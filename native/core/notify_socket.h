// One message to the service manager: sd_notify(3), "Notes" (a datagram to the AF_UNIX socket of
// NOTIFY_SOCKET).
#pragma once

#include <string_view>

namespace desk {

// `address`: an absolute path, or "@" and the name of an abstract socket (unix(7)). Never waits. 0 or an
// errno: EINVAL for another address, EAGAIN when the receiver's buffer is full.
int SendNotification(std::string_view address, std::string_view message);

}  // namespace desk
