// The privileges of this process: capabilities(7), credentials(7), PR_SET_NO_NEW_PRIVS, core(5). Everything
// here only ever takes privileges away. Linux has no call for another thread: the calling thread and
// everything it later starts or executes loses them.
#pragma once

#include <linux/capability.h>
#include <sys/types.h>

#include <cstdint>
#include <initializer_list>
#include <optional>

#include "core/result.h"

namespace desk {

// One bit for each capability, CAP_CHOWN = bit 0, as in /proc/PID/status.
using Capabilities = std::uint64_t;

constexpr Capabilities CapabilityBits(std::initializer_list<int> capabilities) {
  Capabilities bits = 0;
  for (const int capability : capabilities) bits |= Capabilities{1} << capability;
  return bits;
}

// Needed to open the files of other processes below /proc, and to read files of any owner.
inline constexpr Capabilities kPeekCapabilities = CapabilityBits({CAP_SYS_PTRACE, CAP_DAC_READ_SEARCH});
// Reading files of any owner, without the right to inspect processes: for the mail process.
inline constexpr Capabilities kReadCapabilities = CapabilityBits({CAP_DAC_READ_SEARCH});

struct PrivilegeLimit {
  // Capabilities to keep, as far as the thread has them.
  Capabilities kept = 0;
  // Capabilities that a program executed later may get back (the bounding set).
  Capabilities bounding = 0;
  // Real, effective and saved uid and gid to change to, without supplementary groups.
  std::optional<uid_t> uid = std::nullopt;
  // Keeps the capabilities over execve(2) for a uid other than 0 (the ambient set).
  bool over_exec = false;
};

// Gives up all privileges beyond `limit`, and sets no_new_privs. When the uid is refused (EPERM without
// CAP_SETUID and CAP_SETGID, EINVAL where the user namespace does not map it), the supplementary groups, the
// gid, the inheritable set and PR_SET_KEEPCAPS may be changed already, the permitted set is not. Returns 0 or
// an errno.
int LimitPrivileges(const PrivilegeLimit& limit);

// The same; if the uid is refused, as in a container, the process changes to `otherwise` (nothing: it keeps
// its uid), and everything else is given up. An error means that not everything was.
int LimitPrivilegesAnyUid(PrivilegeLimit limit, std::optional<uid_t> otherwise = std::nullopt);

// Closes every descriptor from `first` on, such as those that a shell left open. Returns 0 or an errno.
int CloseDescriptorsFrom(unsigned first);

// Capabilities of the calling thread: the permitted set.
Result<Capabilities> PermittedCapabilities();

// No core file and no piped core dump holds memory of this process: RLIMIT_CORE 0 and an empty
// coredump_filter, both of which what it starts and executes inherits. The kernel ignores the limit where
// core_pattern is a pipe, and the filter counts there. Returns 0 or an errno.
int ForbidCoreDumps();

// Processes without CAP_SYS_PTRACE cannot read the memory of this one any more, nor trace it (PR_SET_DUMPABLE
// 0). execve(2) undoes it.
void ForbidTracing();

}  // namespace desk
