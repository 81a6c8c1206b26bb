// Whether the listeners of our network namespace changed since the last look, told by one dump of them.
#pragma once

#include <cstdint>

#include "probe/sock_diag.h"

namespace desk {

class ListenerPoll {
 public:
  struct Look {
    bool changed = false;        // never at the first look
    std::uint32_t refusals = 0;  // dumps that the kernel refused
  };

  // TCP listeners, unconnected UDP sockets, or both.
  ListenerPoll(bool tcp, bool udp) : tcp_(tcp), udp_(udp) {}

  // A refused dump differs from any other, and is like another refused one.
  Look Repeat();

 private:
  bool tcp_;
  bool udp_;
  SockDiag sockets_;
  std::uint64_t last_ = 0;
  bool known_ = false;
};

}  // namespace desk
