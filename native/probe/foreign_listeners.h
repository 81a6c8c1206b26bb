// Listeners of network namespaces other than our own: network_namespaces(7), setns(2). Only a short-lived
// thread enters them, so the rest of the process stays in its namespace.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/result.h"
#include "probe/port_range.h"
#include "probe/sock_diag.h"

namespace desk {

struct NetworkNamespace {
  std::uint32_t inode = 0;
  // Processes in it, ascending.
  std::vector<std::int32_t> pids;
};

struct NetworkNamespaces {
  // Our own.
  std::uint32_t own = 0;
  // By their lowest pid.
  std::vector<NetworkNamespace> others;
  // Processes whose namespace is unreadable, ascending.
  std::vector<std::int32_t> unread;
};

// Those that a process of this root is in; a refusal when ours or the processes cannot be read.
Result<NetworkNamespaces> ListNetworkNamespaces(int root);

struct ForeignListener {
  std::uint8_t protocol = 0;  // IPPROTO_TCP or IPPROTO_UDP
  InetSocket socket;
  // Ascending; empty when none of the searched processes has it.
  std::vector<std::int32_t> holders;
};

struct ForeignListeners {
  // The process through whose folder the namespace was entered.
  std::int32_t pid = 0;
  // Ephemeral ports of the namespace.
  std::optional<PortRange> ephemeral;
  std::vector<ForeignListener> listeners;
  // errno of the first dump that failed; 0 = none.
  int error = 0;
};

// Processes whose descriptors are searched for the listeners of one namespace.
inline constexpr std::size_t kMostSearched = 64;

// Enters the namespace `inode` through the first of `pids` that is still in it. ESRCH when none is; EACCES or
// EPERM without the right to inspect them (CAP_SYS_PTRACE) or to enter (CAP_SYS_ADMIN).
Result<ForeignListeners> ListenersOf(int root, std::span<const std::int32_t> pids, std::uint32_t inode);

}  // namespace desk
