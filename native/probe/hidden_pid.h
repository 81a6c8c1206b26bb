// Processes that run and are not shown: compares the process system calls with the listing of a proc root by
// getdents64(2) and with /proc/PID. Each function is one stage over a part of the work, short enough to be
// called step by step; there is no state between calls, so any thread may do any part.
//
// The order makes it exact: list first, then probe, so that a process started in between is only a suspect. A
// suspect is confirmed with its pidfd open before a new listing and polled after it: a process that was alive
// all the time is in the listing, unless something hides it. Processes that ended or started late, and
// threads, are dropped.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/columns.h"
#include "core/result.h"
#include "probe/proc_mount.h"

namespace desk {

// PID_MAX_LIMIT of linux/threads.h: no kernel assigns larger pids.
inline constexpr std::int32_t kPidLimit = 1 << 22;

// Which methods work here. Errors are errno values, 0 = works.
struct PidSight {
  // The root must be a proc of our own pid namespace: EMEDIUMTYPE (not a proc), EXDEV (another pid
  // namespace).
  int root_error = 0;
  // Both probes give the right answer for our own pid and for an impossible one. A filter (seccomp(2)) may
  // refuse or fake them.
  int session_error = 0;
  int pidfd_error = 0;
  // openat2(2), to detect mounts over a process.
  int open_error = 0;
  Result<ProcMount> mount = ProcMount{};
  // /proc/sys/kernel/pid_max: the first number that is not assigned. It can be lowered below the pids of
  // living processes.
  Result<std::int32_t> pid_max = 0;
};

PidSight CheckPidSight(int root);

// The result of one pass over pids. `tried` is how many were probed, that is not listed.
struct PidProbe {
  std::vector<std::int32_t> suspects;
  std::uint32_t tried = 0;
  std::uint32_t sessions = 0;  // getsid finds the number: a thread, or a process
  std::uint32_t leaders = 0;   // pidfd_open finds a process
};

// Probes every number of [from, to) that is not in `listed` (ascending) in two ways:
//  - getsid(2) finds a task by its number and reads its session; it changes nothing, and EPERM means
//  "exists";
//  - pidfd_open(2) finds the pid by other code, and checks whether it leads a thread group. kill(2) with
//  signal 0 would work, too, but it is a signal call and is logged by auditd. A suspect is a number that
//  either of them finds, except threads: pidfd_open refuses those (EINVAL, since 6.14 ENOENT).
PidProbe ProbePids(std::span<const std::int32_t> listed, std::int32_t from, std::int32_t to);

// Those of `pids` whose folder lies in another mount than the root (statx(2), stx_mnt_id, since 5.8):
// something is mounted over it. The confirmation uses openat2(2), which refuses such a folder with
// RESOLVE_NO_XDEV (EXDEV).
Result<std::vector<std::int32_t>> MountedOver(int root, std::span<const std::int32_t> pids);

// The result of one round of confirmation for a suspect, as bits; 0 = it ended, is a thread, or is not
// hidden.
enum PidEvidence : std::uint8_t {
  kEvidenceSession = 1,    // found by getsid, before and after
  kEvidencePidfd = 2,      // a pidfd was open and not exited, before and after
  kEvidenceIterator = 4,   // it is in the list of the other source
  kEvidenceUnlisted = 8,   // it is not in the listing
  kEvidenceMounted = 16,   // something is mounted over its folder
  kEvidenceNoFolder = 32,  // its folder cannot be opened by name either
  kEvidenceOurs = 64,      // we have the right to inspect it, so no mount option hides it from us
};

// One round over at most kMostSuspects suspects (each takes a descriptor); evidence in their order.
// `elsewhere`: pids, ascending, that another source (the BPF task iterator) just reported; may be empty.
inline constexpr std::size_t kMostSuspects = 128;
Result<std::vector<std::uint8_t>> ConfirmPids(int root, std::span<const std::int32_t> suspects,
                                              std::span<const std::int32_t> elsewhere);

// Description of a hidden process, read while its pidfd shows that it is alive.
struct PidDescription {
  std::array<char, kCommBytes> comm{};
  // Clock ticks after boot.
  std::uint64_t start = 0;
  // Empty when unreadable.
  std::string executable;
  // Read through a private proc, because the root's folder is covered or inaccessible.
  bool fresh_proc = false;
};

// ESRCH when it ended meanwhile; otherwise the errno of the last attempt.
Result<PidDescription> DescribePid(int root, std::int32_t pid);

}  // namespace desk
