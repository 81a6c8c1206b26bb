// /proc/net/snmp: the counters of RFC 1213 and RFC 4022, proc_pid_net(5),
// Documentation/networking/snmp_counter.rst.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/result.h"

namespace desk {

// TCP connections of this network namespace since boot: opened by it, accepted by it.
struct TcpOpens {
  std::uint64_t active = 0;
  std::uint64_t passive = 0;
};

// Two lines begin with `Tcp:`, the names and then the numbers. EBADMSG when one is missing.
Result<TcpOpens> ParseSnmp(std::string_view text);
Result<TcpOpens> ReadTcpOpens(int root);

}  // namespace desk
