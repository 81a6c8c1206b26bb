// The listeners of our network namespace as one number, by which two lists of them are compared.
#pragma once

#include <cstdint>

#include "core/columns.h"
#include "probe/sock_diag.h"

namespace desk {

class ListenerSum {
 public:
  struct Dumped {
    std::uint64_t sum = 0;
    std::uint32_t refusals = 0;  // dumps that the kernel refused
  };

  // TCP listeners, unconnected UDP sockets, or both.
  ListenerSum(bool tcp, bool udp) : tcp_(tcp), udp_(udp) {}

  // Dumps them. A refused dump differs from a complete one and equals another refused one.
  Dumped Dump();

  // The same sum over the first `rows` that were read before. From any thread.
  std::uint64_t Of(const ListenerView& view, std::uint32_t rows) const;

  bool tcp() const { return tcp_; }
  bool udp() const { return udp_; }

 private:
  const bool tcp_;
  const bool udp_;
  SockDiag sockets_;
};

}  // namespace desk
