#include "probe/hidden_pid.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <string_view>

#include "core/fd.h"
#include "core/mounts.h"
#include "core/open_at.h"
#include "core/path.h"
#include "core/pidfd.h"
#include "core/read.h"
#include "core/text.h"
#include "probe/proc_pids.h"
#include "probe/proc_stat.h"
#include "probe/proc_status.h"

namespace desk {
namespace {

// errno of getsid(2), 0 when it worked. EPERM comes from security modules, for an existing process.
int AskSession(std::int32_t pid) { return ::syscall(SYS_getsid, pid) < 0 ? errno : 0; }
bool Exists(int error) { return error == 0 || error == EPERM; }

// A number that exists but leads no thread group: EINVAL, since 6.14 ENOENT (pidfd_prepare(),
// kernel/fork.c).
bool LeadsNothing(int error) { return error == EINVAL || error == ENOENT; }

// errno with which the folder of a pid refuses to be opened in the root's own mount; 0 when it opens.
int OpenFolder(int root, std::int32_t pid) {
  ProcPath path(pid);
  return OpenAt(root, path.Folder(), O_PATH | O_DIRECTORY, RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS).error();
}

// The check of proc before it shows a process under hidepid: ptrace_may_access(), read mode.
// get_robust_list(2) makes the same check and changes nothing; it uses the real user, proc the effective one.
bool MayInspect(std::int32_t pid) {
  void* head = nullptr;
  std::size_t length = 0;
  return ::getuid() == ::geteuid() && ::getgid() == ::getegid() &&
         ::syscall(SYS_get_robust_list, pid, &head, &length) == 0;
}

int RootError(int root) {
  struct statfs system {};
  if (::fstatfs(root, &system) != 0) return errno;
  if (system.f_type != PROC_SUPER_MAGIC) return EMEDIUMTYPE;
  // `self` uses the numbers of the mount's pid namespace. NSpid counts from there downwards: one number
  // means that this namespace is ours (proc_pid_status(5)).
  const Result<std::string_view> self = ReadLink(root, "self");
  if (!self) return self.error() == ENOENT ? EXDEV : self.error();
  if (ParseNumber<std::int32_t>(*self) != ::getpid()) return EXDEV;
  const Result<Status> status = ReadStatus(root, "self/status");
  if (!status) return status.error();
  return status->pid_levels == 1 ? 0 : EXDEV;
}

// A probe must find our own pid and must not find a number that no kernel assigns.
template <class Ask>
int ProbeError(Ask&& ask) {
  const int known = ask(::getpid());
  if (known != 0) return known;
  const int unknown = ask(INT_MAX);
  return unknown == ESRCH ? 0 : unknown == 0 ? EPROTO : unknown;
}

Result<std::int32_t> ReadPidMax(int root) {
  const Result<std::int32_t> number = ReadFile(root, "sys/kernel/pid_max").AndThen(ParseValue<std::int32_t>);
  if (number && (*number < 1 || *number > kPidLimit)) return Errno{EBADMSG};
  return number;
}

// A suspect in a round of confirmation.
struct HeldPid {
  Fd pidfd;
  std::uint8_t evidence = 0;
};

Result<HeldPid> Hold(int root, std::int32_t pid, std::span<const std::int32_t> elsewhere) {
  HeldPid held;
  if (Exists(AskSession(pid))) held.evidence |= kEvidenceSession;
  if (std::ranges::binary_search(elsewhere, pid)) held.evidence |= kEvidenceIterator;
  Result<Fd> pidfd = OpenPidfd(pid);
  if (pidfd) {
    held.pidfd = std::move(*pidfd);
    held.evidence |= kEvidencePidfd;
  } else if (LeadsNothing(pidfd.error())) {
    held.evidence = 0;
  } else if (pidfd.error() != ESRCH) {
    return pidfd.refusal();
  }
  if (held.evidence == 0) return held;
  const int error = OpenFolder(root, pid);
  if (error == EXDEV) held.evidence |= kEvidenceMounted;
  if (IsGone(error)) held.evidence |= kEvidenceNoFolder;
  if (MayInspect(pid)) held.evidence |= kEvidenceOurs;
  return held;
}

// The evidence that still holds after the listing; 0 when the process is not alive or not hidden.
Result<std::uint8_t> Settle(const HeldPid& held, std::int32_t pid, bool listed) {
  std::uint8_t evidence = held.evidence;
  if ((evidence & kEvidencePidfd) != 0) {
    const Result<bool> exited = HasExited(held.pidfd);
    if (!exited) return exited.refusal();
    if (*exited) return std::uint8_t{0};
  }
  // Without a pidfd the number may be reused: it must be known at both ends of the round.
  if (!Exists(AskSession(pid))) evidence &= static_cast<std::uint8_t>(~kEvidenceSession);
  if (!listed) evidence |= kEvidenceUnlisted;
  const bool alive = (evidence & (kEvidenceSession | kEvidencePidfd | kEvidenceIterator)) != 0;
  const bool hidden = (evidence & (kEvidenceUnlisted | kEvidenceMounted)) != 0;
  return alive && hidden ? evidence : std::uint8_t{0};
}

Result<PidDescription> Describe(int root, std::int32_t pid) {
  const Result<Stat> stat = ReadStat(root, pid);
  if (!stat) return stat.refusal();
  PidDescription description{.comm = stat->comm, .start = stat->start, .executable = {}, .fresh_proc = false};
  ProcPath path(pid);
  if (const Result<std::string_view> exe = ReadLink(root, path.File("exe"))) description.executable = *exe;
  return description;
}

// A detached mount of proc for our pid namespace, which nothing can be mounted over: fsopen(2), fsmount(2).
// Since 5.8 each has its own options, so the machine's /proc is not affected. Needs CAP_SYS_ADMIN.
Result<Fd> OpenFreshProc() {
  const Fd system(static_cast<int>(::syscall(SYS_fsopen, "proc", FSOPEN_CLOEXEC)));
  if (!system.valid()) return Errno{errno};
  if (::syscall(SYS_fsconfig, system.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0)
    return Errno{errno};
  Fd mount(static_cast<int>(
      ::syscall(SYS_fsmount, system.get(), FSMOUNT_CLOEXEC,
                MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC)));
  if (!mount.valid()) return Errno{errno};
  return mount;
}

}  // namespace

PidSight CheckPidSight(int root) {
  PidSight sight;
  sight.root_error = RootError(root);
  sight.session_error = ProbeError(AskSession);
  sight.pidfd_error = ProbeError([](std::int32_t pid) { return OpenPidfd(pid).error(); });
  const int opened = OpenFolder(root, ::getpid());
  // A mount over our own folder is a finding, not a failure.
  sight.open_error = opened == EXDEV ? 0 : opened;
  sight.mount = ReadProcMount(root);
  sight.pid_max = ReadPidMax(root);
  return sight;
}

PidProbe ProbePids(std::span<const std::int32_t> listed, std::int32_t from, std::int32_t to) {
  PidProbe probe;
  auto next = std::ranges::lower_bound(listed, from);
  for (std::int32_t pid = from; pid < to; ++pid) {
    if (next != listed.end() && *next == pid) {
      ++next;
      continue;
    }
    ++probe.tried;
    const bool session = Exists(AskSession(pid));
    const int pidfd = OpenPidfd(pid).error();
    if (session) ++probe.sessions;
    if (pidfd == 0) ++probe.leaders;
    // A pidfd that failed for lack of memory or descriptors proves nothing: the confirmation decides.
    if (pidfd == 0 || (pidfd != ESRCH && !LeadsNothing(pidfd)) || (session && pidfd == ESRCH))
      probe.suspects.push_back(pid);
  }
  return probe;
}

Result<std::vector<std::int32_t>> MountedOver(int root, std::span<const std::int32_t> pids) {
  std::vector<std::int32_t> covered;
  const Result<std::uint64_t> ours = MountOf(root, "", AT_EMPTY_PATH);
  if (!ours) return ours.refusal();
  for (const std::int32_t pid : pids) {
    const Result<std::uint64_t> mount = MountOf(root, ProcPath(pid).Folder(), AT_SYMLINK_NOFOLLOW);
    if (mount) {
      if (*mount != *ours) covered.push_back(pid);
    } else if (!IsGone(mount.error()) && !IsRefused(mount.error())) {
      return mount.refusal();
    }
  }
  return covered;
}

Result<std::vector<std::uint8_t>> ConfirmPids(int root, std::span<const std::int32_t> suspects,
                                              std::span<const std::int32_t> elsewhere) {
  if (suspects.size() > kMostSuspects) return Errno{EINVAL};
  std::vector<HeldPid> held;
  held.reserve(suspects.size());
  for (const std::int32_t pid : suspects) {
    Result<HeldPid> one = Hold(root, pid, elsewhere);
    if (!one) return one.refusal();
    held.push_back(std::move(*one));
  }
  std::vector<std::uint8_t> evidence(suspects.size());
  if (std::ranges::none_of(held, [](const HeldPid& one) { return one.evidence != 0; })) return evidence;
  std::vector<std::int32_t> listed;
  if (const int error = ListAllPids(root, listed); error != 0) return Errno{error};
  for (std::size_t at = 0; at < suspects.size(); ++at) {
    if (held[at].evidence == 0) continue;
    const Result<std::uint8_t> settled =
        Settle(held[at], suspects[at], std::ranges::binary_search(listed, suspects[at]));
    if (!settled) return settled.refusal();
    evidence[at] = *settled;
  }
  return evidence;
}

Result<PidDescription> DescribePid(int root, std::int32_t pid) {
  const Result<Fd> pidfd = OpenPidfd(pid);
  if (!pidfd) return pidfd.refusal();
  Result<PidDescription> description = Errno{ENOENT};
  if (OpenFolder(root, pid) == 0) description = Describe(root, pid);
  if (!description) {
    const Result<Fd> fresh = OpenFreshProc();
    if (!fresh) return fresh.refusal();
    description = Describe(fresh->get(), pid);
    if (description) (*description).fresh_proc = true;
  }
  const Result<bool> exited = HasExited(*pidfd);
  if (!exited) return exited.refusal();
  if (*exited) return Errno{ESRCH};
  return description;
}

}  // namespace desk
