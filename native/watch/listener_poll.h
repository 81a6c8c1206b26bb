// Whether the listeners of our network namespace changed since the last look, or are others than the consumer
// read in between. A look asks how many sockets there are, and dumps the listeners when that number changed;
// now and then it dumps them anyway, because one socket may have taken the place of another.
#pragma once

#include <cstdint>
#include <optional>

#include "core/columns.h"
#include "probe/sock_diag.h"
#include "probe/sockstat.h"

namespace desk {

class ListenerPoll {
 public:
  struct Look {
    bool changed = false;        // never at the first look
    std::uint32_t refusals = 0;  // dumps that the kernel refused
    // Sum over the listeners, like SumOf; none when nothing was dumped, or not all of it.
    std::optional<std::uint64_t> sum;
  };

  // TCP listeners, unconnected UDP sockets, or both.
  ListenerPoll(bool tcp, bool udp) : tcp_(tcp), udp_(udp) {}

  // A refused dump differs from any other, and is like another refused one. `now_ns` on any clock that only
  // goes forward.
  Look Repeat(std::int64_t now_ns);

  // Sum over the first `rows` that a consumer read, of the protocols that are polled. From any thread.
  std::uint64_t SumOf(const ListenerView& view, std::uint32_t rows) const;

 private:
  bool SameNumber();
  void Dump(Look& look);

  bool tcp_;
  bool udp_;
  SockDiag sockets_;
  Sockstat counts_;
  std::optional<Sockstat::Counts> counted_;
  std::int64_t dumped_ns_ = 0;
  std::uint64_t last_ = 0;
  bool known_ = false;
};

}  // namespace desk
