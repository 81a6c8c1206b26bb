// /proc/PID/fd (proc_pid_fd(5)): what a link says that its descriptor is, as far as a check asks.
#pragma once

#include <string_view>

namespace desk {

enum class LinkKind {
  kOther,
  kSocket,
  // Keyboard, mouse and their like: /dev/input/event*.
  kInput,
  // /dev/video*.
  kCamera,
  // A sound device that records: /dev/snd/pcmC*D*c.
  kCapture,
};

LinkKind LinkKindOf(std::string_view link);

// Whether a socket of this protocol talks to other machines. `name` is what the kernel calls it (struct
// proto, told by the attribute "system.sockprotoname" of the socket): "TCP", "UDPv6".
bool IsInternetProtocol(std::string_view name);

}  // namespace desk
