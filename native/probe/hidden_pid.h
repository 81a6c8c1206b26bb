// Processes that run and are not shown: what the process system calls know, against what getdents64(2) of a
// proc root lists and what stands at /proc/PID. Each function is one stage over a piece of the work, short
// enough to be called in turns; nothing is kept between two calls, so any thread may take any piece.
//
// The order makes it exact: list first, then probe, so that who is born meanwhile is at most a suspect. A
// suspect is confirmed with its pidfd open before a fresh listing and polled after it: a process that lived
// all the while stands in the listing, unless something hides it. Who ended, was born late or is a thread
// falls out.
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

// PID_MAX_LIMIT of linux/threads.h: no kernel gives a number from here on.
inline constexpr std::int32_t kPidLimit = 1 << 22;

// Whether and how far processes can be judged here. Errors are errno values, 0 = works.
struct PidSight {
  // The root is a proc of our own pid namespace, else numbers would mean other processes: EMEDIUMTYPE (no
  // proc), EXDEV (another pid namespace).
  int root_error = 0;
  // Both probes answer as they must for our own pid and for one that cannot be. A filter (seccomp(2)) may
  // refuse them, or lie.
  int session_error = 0;
  int pidfd_error = 0;
  // openat2(2), for what is mounted over a process.
  int open_error = 0;
  Result<ProcMount> mount = ProcMount{};
  // /proc/sys/kernel/pid_max: the first number that is not given. It can be lowered under living processes.
  Result<std::int32_t> pid_max = 0;
};

PidSight CheckPidSight(int root);

// What one pass over pids said. `tried` are the numbers asked, that is those not listed.
struct PidProbe {
  std::vector<std::int32_t> suspects;
  std::uint32_t tried = 0;
  std::uint32_t sessions = 0;  // getsid knows the number: a thread, or a process
  std::uint32_t leaders = 0;   // pidfd_open knows it as a process
};

// Asks the kernel twice for every number of [from, to) that `listed` (ascending) does not hold:
//  - getsid(2) finds a task by its number and reads its session; it changes nothing, and EPERM means
//  "exists";
//  - pidfd_open(2) takes another way: it finds the pid, then whether it leads a thread group.
// kill(2) with signal 0 would do as well, but it leaves a record with auditd and it is a signal call; neither
// is wanted here. A suspect is what either of them knows, threads excepted: getsid knows them, pidfd_open
// tells that they lead nothing (EINVAL, since 6.14 ENOENT).
PidProbe ProbePids(std::span<const std::int32_t> listed, std::int32_t from, std::int32_t to);

// Those of `pids` on whose folder something is mounted: it lies in another mount than the root (statx(2),
// stx_mnt_id, since 5.8). The confirmation asks openat2(2), which refuses such a folder with RESOLVE_NO_XDEV
// (EXDEV).
Result<std::vector<std::int32_t>> MountedOver(int root, std::span<const std::int32_t> pids);

// What one round of confirmation says of a suspect, as bits; 0 = it ended, is a thread, or is in plain sight.
enum PidEvidence : std::uint8_t {
  kEvidenceSession = 1,    // getsid knew it, before and after
  kEvidencePidfd = 2,      // a pidfd was open and not exited, before and after
  kEvidenceIterator = 4,   // it stands in the list from elsewhere
  kEvidenceUnlisted = 8,   // the listing does not hold it
  kEvidenceMounted = 16,   // something is mounted over its folder
  kEvidenceNoFolder = 32,  // its folder cannot be opened by name either
  kEvidenceOurs = 64,      // we have the right to look into it, so that no mount option hides it from us
};

// One round over at most kMostSuspects suspects (each takes a descriptor); evidence in their order.
// `elsewhere`: pids, ascending, that another source (the BPF task iterator) saw just now; may be empty.
inline constexpr std::size_t kMostSuspects = 128;
Result<std::vector<std::uint8_t>> ConfirmPids(int root, std::span<const std::int32_t> suspects,
                                              std::span<const std::int32_t> elsewhere);

// Who a hidden process is, read while its pidfd says that it lives.
struct PidDescription {
  std::array<char, kCommBytes> comm{};
  // Clock ticks after boot.
  std::uint64_t start = 0;
  // Empty when unreadable.
  std::string executable;
  // Read through a proc of our own, mounted nowhere, because the root's folder is covered or closed.
  bool fresh_proc = false;
};

// ESRCH when it ended meanwhile; otherwise the errno of the last way that was tried.
Result<PidDescription> DescribePid(int root, std::int32_t pid);

}  // namespace desk
