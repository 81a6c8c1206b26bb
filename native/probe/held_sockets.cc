#include "probe/held_sockets.h"

#include <linux/kcmp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "core/directory.h"
#include "core/path.h"
#include "probe/proc_fd.h"
#include "probe/proc_stat.h"
#include "probe/proc_threads.h"

namespace desk {
namespace {

ProcPath PathOf(std::int32_t pid, std::int32_t tid) { return tid == 0 ? ProcPath(pid) : ProcPath(pid, tid); }

// kcmp(2): 0 when both use one descriptor table. If it is not permitted, the folders are read instead.
bool ShareTable(std::int32_t one, std::int32_t other) {
  return ::syscall(SYS_kcmp, one, other, KCMP_FILES, 0, 0) == 0;
}

void Append(const std::vector<Held>& found, std::int32_t tid, std::vector<HeldSocket>& held) {
  for (const Held& one : found) held.push_back({.inode = one.inode, .fd = one.fd, .tid = tid});
}

}  // namespace

bool ShowsSocket(int root, std::int32_t pid, std::int32_t tid, std::int32_t fd, std::uint32_t inode) {
  char name[3 + 11] = "fd/";
  const char* const end = std::to_chars(name + 3, name + sizeof name, fd).ptr;
  ProcPath path = PathOf(pid, tid);
  char link[32];  // long enough for a socket link
  const ssize_t got =
      ::readlinkat(root, path.File({name, static_cast<std::size_t>(end - name)}), link, sizeof link);
  return got > 0 && ParseSocketLink({link, static_cast<std::size_t>(got)}) == inode;
}

TableSearch SearchTable(int root, std::int32_t pid, std::uint32_t threads,
                        std::span<const std::uint32_t> inodes, std::vector<HeldSocket>& held) {
  thread_local std::vector<Held> found;
  std::int32_t tid = 0;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    ProcPath path = PathOf(pid, tid);
    const Result<std::uint32_t> count = ReadHeldSockets(root, path.File("fd"), inodes, found);
    // A process or leader that has ended shows no descriptors or refuses access (its memory, which access is
    // checked against, is gone): that does not prove that it holds no socket.
    const bool in_doubt =
        count ? *count == 0 : IsGone(count.error()) || (tid == 0 && threads > 1 && IsRefused(count.error()));
    if (!in_doubt || Lives(root, path, tid == 0 ? pid : tid)) {
      Append(found, tid, held);
      return {.seen = count.ok(), .error = IsGone(count.error()) ? 0 : count.error()};
    }
    const Result<Stat> leader = ReadStat(root, pid);
    if (IsGone(leader.error())) return {};
    if (!leader) return {.error = leader.error()};
    tid = 0;
    if (!leader->zombie()) continue;
    if (leader->threads <= 1) return {};
    const Result<LivingThread> living = FindLivingThread(root, pid);
    if (living && living->tid == 0) return {};
    if (living) tid = living->tid;
  }
  return {.error = EAGAIN};
}

void SearchThreadTables(int root, std::int32_t pid, bool our_pids, std::span<const std::uint32_t> inodes,
                        std::vector<HeldSocket>& held) {
  std::vector<Held> found;
  const auto search = [&](std::int32_t tid, int) {
    if (tid == pid || (our_pids && ShareTable(pid, tid))) return true;
    // A thread is as accessible as its process (proc(5): one ptrace check).
    if (ReadHeldSockets(root, ProcPath(pid, tid).File("fd"), inodes, found)) Append(found, tid, held);
    return true;
  };
  // Errors are ignored: the process has ended.
  (void)WalkNumbers(root, ProcPath(pid).File("task"), search).ok();
}

}  // namespace desk
