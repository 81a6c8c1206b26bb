#include "probe/proc_covers.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <optional>

#include "core/read.h"
#include "core/text.h"

namespace desk {
namespace {

// A line of mountinfo as far as it is wanted: id, parent, device, root, mount point.
struct MountLine {
  std::optional<std::uint64_t> id;
  std::optional<std::uint64_t> parent;
  std::string_view point;
};

MountLine TakeLine(std::string_view& text) {
  std::string_view line = TakeUntil(text, '\n');
  MountLine mount;
  mount.id = ParseNumber<std::uint64_t>(TakeUntil(line, ' '));
  mount.parent = ParseNumber<std::uint64_t>(TakeUntil(line, ' '));
  TakeUntil(line, ' ');
  TakeUntil(line, ' ');
  mount.point = TakeUntil(line, ' ');
  return mount;
}

}  // namespace

Result<std::vector<ProcCover>> ParseCovers(std::string_view text, std::uint64_t mount_id) {
  std::string_view below;
  for (std::string_view rest = text; !rest.empty() && below.empty();) {
    const MountLine mount = TakeLine(rest);
    if (mount.id == mount_id) below = mount.point;
  }
  if (!below.starts_with('/')) return Errno{ENOENT};
  while (below.ends_with('/')) below.remove_suffix(1);
  std::vector<ProcCover> covers;
  while (!text.empty() && covers.size() < kMostCovers) {
    const MountLine mount = TakeLine(text);
    if (mount.parent != mount_id || !mount.point.starts_with(below)) continue;
    std::string_view path = mount.point.substr(below.size());
    // What is mounted on a folder that is no more covers nobody: the kernel ends its path with //deleted.
    if (!path.starts_with('/') || path.ends_with("//deleted")) continue;
    path.remove_prefix(1);
    const auto pid = ParseNumber<std::int32_t>(TakeUntil(path, '/'));
    if (pid && *pid > 0) covers.push_back({.pid = *pid, .place = std::string(path)});
  }
  return covers;
}

Result<std::vector<ProcCover>> ProcCovers::Look() {
  const std::lock_guard lock(mutex_);
  if (!table_.valid()) {
    table_ = Fd(::openat(root_, "self/mountinfo", O_RDONLY | O_CLOEXEC));
    if (!table_.valid()) return Errno{errno};
    last_ = Read();
  } else {
    // The kernel marks the file when a mount of its namespace came or went (mounts_poll() of
    // fs/proc_namespace.c).
    pollfd changed{.fd = table_.get(), .events = POLLPRI, .revents = 0};
    if (::poll(&changed, 1, 0) != 0) last_ = Read();
  }
  if (!last_) table_ = Fd();
  return last_;
}

Result<std::vector<ProcCover>> ProcCovers::Read() {
  struct statx place {};
  if (::statx(root_, "", AT_EMPTY_PATH, STATX_MNT_ID, &place) != 0) return Errno{errno};
  if ((place.stx_mask & STATX_MNT_ID) == 0) return Errno{EOPNOTSUPP};
  const Result<std::string_view> text = ReadFileAgain(table_.get());
  if (!text) return text.refusal();
  return ParseCovers(*text, place.stx_mnt_id);
}

}  // namespace desk
