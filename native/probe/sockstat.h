// How many sockets of our network namespace are in use, /proc/net/sockstat and sockstat6 (proc_pid_net(5)):
// much cheaper to read than a table of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/fd.h"
#include "core/result.h"

namespace desk {

struct SocketsInUse {
  // TCP sockets that listen or are connected, and UDP sockets that are bound, of one address family.
  std::uint32_t tcp = 0;
  std::uint32_t udp = 0;  // with UDP-Lite

  bool operator==(const SocketsInUse&) const = default;
};

// Nothing when one of them is missing.
std::optional<SocketsInUse> ParseSockstat(std::string_view text);

// The two files, opened once and read repeatedly.
class Sockstat {
 public:
  struct Counts {
    SocketsInUse v4;
    SocketsInUse v6;

    bool operator==(const Counts&) const = default;
  };

  // A refusal when one of the files cannot be read; without IPv6 there is no second file, and no sockets.
  Result<Counts> Read();

 private:
  static Result<SocketsInUse> ReadOne(Fd& file, const char* path);

  Fd v4_;
  Fd v6_;
};

}  // namespace desk
