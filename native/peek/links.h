// /proc/PID/fd (proc_pid_fd(5)): the kind of a descriptor by its link, as far as checks use it.
#pragma once

#include <string_view>

namespace desk {

enum class LinkKind {
  kOther,
  kSocket,
  // Keyboard, mouse and similar: /dev/input/event*.
  kInput,
  // /dev/video*.
  kCamera,
  // A sound device that records: /dev/snd/pcmC*D*c.
  kCapture,
};

LinkKind LinkKindOf(std::string_view link);

// Whether sockets of this protocol communicate with other machines. `name` is that of the kernel (struct
// proto, from the attribute "system.sockprotoname" of the socket): "TCP", "UDPv6".
bool IsInternetProtocol(std::string_view name);

}  // namespace desk
