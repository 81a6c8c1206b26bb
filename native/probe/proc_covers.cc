#include "probe/proc_covers.h"

#include <fcntl.h>
#include <poll.h>

#include <optional>

#include "core/mounts.h"
#include "core/read.h"
#include "core/text.h"

namespace desk {

Result<std::vector<ProcCover>> ParseCovers(std::string_view text, std::uint64_t mount_id) {
  const std::optional<MountLine> root = FindMount(text, mount_id);
  if (!root || !root->point.starts_with('/')) return Errno{ENOENT};
  std::string_view below = root->point;
  while (below.ends_with('/')) below.remove_suffix(1);
  std::vector<ProcCover> covers;
  while (!text.empty() && covers.size() < kMostCovers) {
    const MountLine mount = TakeMount(text);
    if (mount.parent != mount_id || !mount.point.starts_with(below)) continue;
    std::string_view path = mount.point.substr(below.size());
    // A mount on a folder that is gone covers no process: the kernel ends its path with //deleted.
    if (!path.starts_with('/') || path.ends_with("//deleted")) continue;
    path.remove_prefix(1);
    const auto pid = ParseNumber<std::int32_t>(TakeUntil(path, '/'));
    if (pid && *pid > 0) covers.push_back({.pid = *pid, .place = std::string(path)});
  }
  return covers;
}

Result<std::vector<ProcCover>> ProcCovers::Read() {
  const std::lock_guard lock(mutex_);
  if (!table_.valid()) {
    table_ = Fd(::openat(root_, "self/mountinfo", O_RDONLY | O_CLOEXEC));
    if (!table_.valid()) return Errno{errno};
    last_ = ReadTable();
  } else {
    // POLLPRI: a mount of the namespace was added or removed (mounts_poll() of fs/proc_namespace.c).
    pollfd changed{.fd = table_.get(), .events = POLLPRI, .revents = 0};
    if (::poll(&changed, 1, 0) != 0) last_ = ReadTable();
  }
  if (!last_) table_ = Fd();
  return last_;
}

Result<std::vector<ProcCover>> ProcCovers::ReadTable() {
  const Result<std::uint64_t> mount = MountOf(root_, "", AT_EMPTY_PATH);
  if (!mount) return mount.refusal();
  return ReadFileAgain(table_.get()).AndThen([&](std::string_view text) {
    return ParseCovers(text, *mount);
  });
}

}  // namespace desk
