#include "act/held_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <optional>
#include <span>
#include <vector>

#include "core/directory.h"
#include "core/open_at.h"
#include "core/path.h"
#include "core/pidfd.h"
#include "core/read.h"
#include "probe/proc_fd.h"
#include "probe/proc_ns.h"
#include "probe/proc_pids.h"
#include "probe/proc_stat.h"
#include "probe/proc_status.h"

namespace desk {
namespace {

// init and kthreadd (kernel/fork.c gives them these numbers).
constexpr std::int32_t kHighestSystemPid = 2;
// A longer chain of parents means that the table changes during the walk.
constexpr int kMostGenerations = 4096;

// /proc, if its pids are those of our system calls; EXDEV otherwise.
Result<Fd> OpenOurProc() {
  Fd root(::open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root.valid()) return Errno{errno};
  if (!HasOurPids(root.get())) return Errno{EXDEV};
  // One number means that the namespace of the mount is ours (proc_pid_status(5), NSpid).
  const Result<Status> status = ReadStatus(root.get(), "self/status");
  if (!status) return status.refusal();
  if (status->pid_levels != 1) return Errno{EXDEV};
  return root;
}

// The folder of a pid, unless something is mounted over it.
Result<Fd> OpenFolder(int root, std::int32_t pid) {
  ProcPath path(pid);
  constexpr std::uint64_t kWithin = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV;
  return OpenAt(root, path.Folder(), O_PATH | O_DIRECTORY, kWithin);
}

// Whether `ancestor` is an ancestor of `pid`, as far as parents are visible.
bool Descends(int root, std::int32_t pid, std::int32_t ancestor) {
  for (int generation = 0; generation < kMostGenerations && pid > 0; ++generation) {
    const Result<Stat> stat = ReadStat(root, pid);
    if (!stat) return false;
    pid = stat->ppid;
    if (pid == ancestor) return true;
  }
  return false;
}

Kin KinOf(int root, std::int32_t pid) {
  const std::int32_t self = ::getpid();
  if (pid == self) return Kin::kSelf;
  // The parent is known even where its folder is hidden from us.
  if (pid == ::getppid() || Descends(root, self, pid)) return Kin::kAncestor;
  return Descends(root, pid, self) ? Kin::kDescendant : Kin::kNone;
}

}  // namespace

Result<std::shared_ptr<HeldProcess>> HeldProcess::Hold(std::int32_t pid) {
  const Result<Fd> root = OpenOurProc();
  if (!root) return root.refusal();
  const auto shared = std::make_shared<HeldProcess>();
  HeldProcess& held = *shared;
  held.pid_ = pid;
  Result<Fd> pidfd = OpenPidfd(pid);
  if (!pidfd) return pidfd.refusal();
  held.pidfd_ = std::move(*pidfd);
  Result<Fd> folder = OpenFolder(root->get(), pid);
  if (!folder) return Errno{folder.error() == ENOENT ? ESRCH : folder.error()};
  held.folder_ = std::move(*folder);
  // The process was alive after its folder was opened: the folder belongs to it.
  if (held.HasExited()) return Errno{ESRCH};
  const Result<Stat> stat = ReadStat(held.folder_.get(), "stat", pid);
  if (!stat) return stat.refusal();
  held.parent_ = stat->ppid;
  held.kernel_thread_ = stat->kernel_thread();
  const Result<Status> status = ReadStatus(held.folder_.get(), "status");
  if (!status) return status.refusal();
  held.our_pid_namespace_ = status->pid_levels == 1;
  held.kin_ = KinOf(root->get(), pid);
  Result<ProcessIdentity> identity = held.ReadIdentity();
  if (!identity) return identity.refusal();
  held.identity_ = std::move(*identity);
  if (held.HasExited()) return Errno{ESRCH};
  return shared;
}

bool HeldProcess::HasExited() const {
  const Result<bool> exited = desk::HasExited(pidfd_);
  return !exited || *exited;
}

Result<ProcessIdentity> HeldProcess::ReadIdentity() const {
  const int folder = folder_.get();
  const Result<Stat> stat = ReadStat(folder, "stat", pid_);
  if (!stat) return stat.refusal();
  const Result<Status> status = ReadStatus(folder, "status");
  if (!status) return status.refusal();
  ProcessIdentity identity;
  identity.start = stat->start;
  identity.uid = status->uid;
  identity.euid = status->euid;
  identity.suid = status->suid;
  // Kernel threads have no executable, and are forbidden anyway.
  if (const Result<std::string_view> executable = ReadLink(folder, "exe"))
    identity.executable = *executable;
  else if (!stat->kernel_thread())
    return executable.refusal();
  const auto read = [&](const char* path, std::string_view kind, std::uint32_t& into) {
    const Result<std::uint32_t> number = ReadNamespace(folder, path, kind);
    if (number) into = *number;
    return number.error();
  };
  for (const int error : {read("ns/user", "user", identity.ns_user), read("ns/pid", "pid", identity.ns_pid),
                          read("ns/mnt", "mnt", identity.ns_mnt), read("ns/net", "net", identity.ns_net)})
    if (error != 0) return Errno{error};
  return identity;
}

Result<bool> HeldProcess::HoldsSocket(std::uint32_t inode) const {
  const std::span<const std::uint32_t> wanted(&inode, 1);
  std::vector<Held> found;
  const Result<std::uint32_t> count = ReadHeldSockets(folder_.get(), "fd", wanted, found);
  if (count && !found.empty()) return true;
  bool seen = false;
  const Result<bool> walked = WalkNumbers(folder_.get(), "task", [&](std::int32_t tid, int tasks) {
    const std::string path = std::to_string(tid) + "/fd";
    seen = ReadHeldSockets(tasks, path.c_str(), wanted, found).ok() && !found.empty();
    return !seen;
  });
  if (seen) return true;
  if (!count) return count.refusal();
  if (!walked) return walked.refusal();
  return false;
}

Standing HeldProcess::StandingTowards(std::uint32_t inode, std::uint32_t creator_uid) const {
  HolderFacts holder{.pid = pid_,
                     .start = identity_.start,
                     .uid = identity_.uid,
                     .euid = identity_.euid,
                     .suid = identity_.suid,
                     .executable = std::nullopt};
  const std::optional<bpf::ListenerMaker> maker = bpf::MakerOf(inode);
  if (maker) {
    // The link leads to the file itself; O_PATH asks no file system.
    const Fd file(::openat(folder_.get(), "exe", O_PATH | O_CLOEXEC));
    if (file.valid()) holder.executable = KeyOfOpenFile(file.get(), folder_.get(), "mountinfo");
  }
  return StandingOf(holder, KnownUid(creator_uid), maker);
}

bool HeldProcess::Forbidden() const {
  return pid_ <= kHighestSystemPid || kernel_thread_ || kin_ != Kin::kNone || !our_pid_namespace_;
}

SignalResult HeldProcess::Signal(int signal, const ListeningSocket& socket) const {
  const auto refused = [&](int error) {
    const bool exited = error == ESRCH || HasExited();
    return SignalResult{.sent = exited ? Sent::kExited : Sent::kRefused, .error = exited ? 0 : error};
  };
  if (signal != SIGTERM && signal != SIGKILL) return {.sent = Sent::kRefused, .error = EINVAL};
  if (Forbidden()) return {.sent = Sent::kForbidden};
  if (HasExited()) return {.sent = Sent::kExited};
  const Result<ProcessIdentity> now = ReadIdentity();
  if (!now) return refused(now.error());
  if (*now != identity_) return {.sent = Sent::kChanged};
  const Result<bool> holds = HoldsSocket(socket.inode);
  if (!holds) return refused(holds.error());
  if (!*holds) return {.sent = HasExited() ? Sent::kExited : Sent::kNotHolding};
  const Result<std::optional<std::uint32_t>> creator = ListenerCreator(socket);
  if (!creator) return {.sent = Sent::kRefused, .error = creator.error()};
  if (!*creator) return {.sent = Sent::kNotListening};
  if (StandingTowards(socket.inode, **creator) == Standing::kOther) return {.sent = Sent::kNotMaker};
  if (::syscall(SYS_pidfd_send_signal, pidfd_.get(), signal, nullptr, 0u) != 0) return refused(errno);
  return {.sent = Sent::kSent};
}

}  // namespace desk
