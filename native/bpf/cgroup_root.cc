#include "bpf/cgroup_root.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <cerrno>
#include <cstdint>
#include <optional>

#include "core/mounts.h"
#include "core/read.h"
#include "core/text.h"

namespace desk::bpf {
namespace {

// Blanks, line ends and backslashes are \ooo (fs/proc_namespace.c, mangle()).
std::string Unescape(std::string_view path) {
  constexpr std::size_t kDigits = 3;
  std::string plain;
  while (!path.empty()) {
    const std::optional<std::uint8_t> code = path.front() == '\\' && path.size() > kDigits
                                                 ? ParseNumber<std::uint8_t>(path.substr(1, kDigits), 8)
                                                 : std::nullopt;
    plain.push_back(code ? static_cast<char>(*code) : path.front());
    path.remove_prefix(code ? 1 + kDigits : 1);
  }
  return plain;
}

// In every kernfs the root has inode 1, and no other folder (fs/kernfs/dir.c, kernfs_create_root()): a bind
// mount or a cgroup namespace gives another cgroup its path, but not its number.
bool IsRealRoot(int folder) {
  constexpr ino_t kRootInode = 1;
  struct stat status {};
  return ::fstat(folder, &status) == 0 && status.st_ino == kRootInode;
}

}  // namespace

std::vector<std::string> CgroupMounts(std::string_view text) {
  std::vector<std::string> points;
  while (!text.empty() && points.size() < kMostCgroupMounts) {
    MountLine mount = TakeMount(text);
    if (TakeMountType(mount.rest) == "cgroup2" && mount.point.starts_with('/'))
      points.push_back(Unescape(mount.point));
  }
  return points;
}

Result<Fd> OpenCgroupRoot() {
  const Result<std::string_view> text = ReadFile(AT_FDCWD, "/proc/thread-self/mountinfo");
  if (!text) return text.refusal();
  int error = ENOENT;
  for (const std::string& point : CgroupMounts(*text)) {
    Fd folder(::open(point.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder.valid()) {
      error = errno;
      continue;
    }
    struct statfs system {};
    // Another file system may be mounted over it.
    if (::fstatfs(folder.get(), &system) != 0 || system.f_type != CGROUP2_SUPER_MAGIC) continue;
    if (IsRealRoot(folder.get())) return folder;
    error = EXDEV;
  }
  return Errno{error};
}

}  // namespace desk::bpf
