// Whether the listeners of our network namespace changed since the last poll, or differ from those that the
// consumer read in between. A poll reads the number of sockets, and dumps the listeners when it changed; it
// also dumps them periodically, because one socket may have replaced another.
#pragma once

#include <cstdint>
#include <optional>

#include "probe/sockstat.h"
#include "watch/listener_sum.h"

namespace desk {

class ListenerPoll {
 public:
  struct Change {
    bool changed = false;        // never at the first poll
    std::uint32_t refusals = 0;  // dumps that the kernel refused
    // Over the listeners; none when nothing was dumped, or not all of it.
    std::optional<std::uint64_t> sum;
  };

  // TCP listeners, unconnected UDP sockets, or both.
  ListenerPoll(bool tcp, bool udp) : listeners_(tcp, udp) {}

  // `now_ns`: any monotonic clock.
  Change Poll(std::int64_t now_ns);

  const ListenerSum& listeners() const { return listeners_; }

 private:
  bool SameNumber();
  void Dump(Change& change);

  ListenerSum listeners_;
  Sockstat counts_;
  std::optional<Sockstat::Counts> counted_;
  std::int64_t dumped_ns_ = 0;
  std::uint64_t last_ = 0;
  bool known_ = false;
};

}  // namespace desk
