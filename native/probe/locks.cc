#include "probe/locks.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <map>
#include <mutex>
#include <optional>

#include "core/fd.h"
#include "core/read.h"
#include "core/text.h"

namespace desk {
namespace {

// A folder for reading; a file for writing, as network file systems want it, and never through a link.
Fd OpenForLock(const char* path) {
  Fd folder(::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.valid() || errno != ENOTDIR) return folder;
  return Fd(::open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

// What is there may be replaced between our open and our flock; more often than this somebody plays with us.
constexpr int kAttempts = 8;

struct LockRegistry {
  std::mutex mutex;
  std::map<int, Fd> held;
  int next = 1;
};

// Locks belong to the process: any worker may release what another took. Never destroyed: one may do so while
// the process ends; the kernel lets go of the rest.
LockRegistry& Locks() {
  static auto* const registry = new LockRegistry;
  return *registry;
}

// The value of line `name:` of /proc/PID/fdinfo/FD (proc_pid_fdinfo(5)).
std::optional<std::uint64_t> InfoNumber(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    std::string_view line = TakeUntil(text, '\n');
    if (TakeUntil(line, ':') == name) return ParseNumber<std::uint64_t>(TrimBlanks(line));
  }
  return std::nullopt;
}

// Field 3 (major:minor of the superblock) of the line of `mount` in mountinfo, proc_pid_mountinfo(5).
std::optional<std::pair<std::uint32_t, std::uint32_t>> DeviceOfMount(std::string_view text,
                                                                     std::uint64_t mount) {
  while (!text.empty()) {
    std::string_view line = TakeUntil(text, '\n');
    if (ParseNumber<std::uint64_t>(TakeUntil(line, ' ')) != mount) continue;
    TakeUntil(line, ' ');
    std::string_view device = TakeUntil(line, ' ');
    const auto major = ParseNumber<std::uint32_t>(TakeUntil(device, ':'));
    const auto minor = ParseNumber<std::uint32_t>(device);
    if (major && minor) return std::pair{*major, *minor};
    return std::nullopt;
  }
  return std::nullopt;
}

// stat(2) tells another device than /proc/locks where subvolumes and layers have devices of their own (btrfs,
// overlayfs); the mount's entry and fdinfo tell the kernel's own numbers. Without them stat's are the best
// known.
Result<FileKey> KeyOf(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return Errno{errno};
  const FileKey key{.major = static_cast<std::uint32_t>(major(status.st_dev)),
                    .minor = static_cast<std::uint32_t>(minor(status.st_dev)),
                    .inode = status.st_ino};
  return KeyOfOpenFile(fd, AT_FDCWD, "/proc/self/mountinfo").value_or(key);
}

}  // namespace

std::optional<FileKey> ParseFileKey(std::string_view info, std::string_view mounts) {
  const auto mount = InfoNumber(info, "mnt_id");
  const auto inode = InfoNumber(info, "ino");
  if (!mount || !inode) return std::nullopt;
  const auto device = DeviceOfMount(mounts, *mount);
  if (!device) return std::nullopt;
  return FileKey{.major = device->first, .minor = device->second, .inode = *inode};
}

std::optional<FileKey> KeyOfOpenFile(int fd, int directory, const char* path) {
  const Result<std::string_view> read =
      ReadFile(AT_FDCWD, ("/proc/self/fdinfo/" + std::to_string(fd)).c_str());
  if (!read) return std::nullopt;
  std::string info(*read);  // both readings use one buffer
  if (info.find("\nino:") == std::string::npos) {
    // Linux before 5.14: the cached number, so that no file system is asked.
    struct statx about {};
    if (::statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_INO, &about) == 0)
      info += "\nino:\t" + std::to_string(about.stx_ino) + "\n";
  }
  const Result<std::string_view> mounts = ReadFile(directory, path);
  if (!mounts) return std::nullopt;
  return ParseFileKey(info, *mounts);
}

std::uint32_t ParseLocks(std::string_view text, const FileKey& file) {
  std::uint32_t count = 0;
  while (!text.empty()) {
    // `1: FLOCK  ADVISORY  WRITE 708 00:13:16798 0 EOF`
    std::string_view line = TakeUntil(text, '\n');
    std::string_view fields[6];
    for (std::string_view& field : fields) {
      line = TrimBlanks(line);
      field = TakeUntil(line, ' ');
    }
    if (fields[1] != "FLOCK" || fields[3] != "WRITE") continue;
    std::string_view place = fields[5];
    const auto major = ParseNumber<std::uint32_t>(TakeUntil(place, ':'), 16);
    const auto minor = ParseNumber<std::uint32_t>(TakeUntil(place, ':'), 16);
    const auto inode = ParseNumber<std::uint64_t>(place);
    if (major == file.major && minor == file.minor && inode == file.inode) ++count;
  }
  return count;
}

Result<int> Lock(const std::string& path) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Fd opened = OpenForLock(path.c_str());
    if (!opened.valid()) return Errno{errno};
    while (::flock(opened.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EINTR) return Errno{errno};
    }
    struct stat ours {};
    struct stat there {};
    if (::fstat(opened.get(), &ours) != 0) return Errno{errno};
    if (::stat(path.c_str(), &there) == 0 && ours.st_dev == there.st_dev && ours.st_ino == there.st_ino) {
      LockRegistry& registry = Locks();
      const std::lock_guard guard(registry.mutex);
      const int handle = registry.next++;
      registry.held.emplace(handle, std::move(opened));
      return handle;
    }
  }
  return Errno{EBUSY};
}

bool Unlock(int handle) {
  LockRegistry& registry = Locks();
  const std::lock_guard guard(registry.mutex);
  const auto found = registry.held.find(handle);
  if (found == registry.held.end()) return false;
  // Closing alone would leave the lock with a forked child that still has the open file.
  ::flock(found->second.get(), LOCK_UN);
  registry.held.erase(found);
  return true;
}

Result<std::uint32_t> CountLockHolders(const std::string& path) {
  const Fd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) return Errno{errno};
  const Result<FileKey> key = KeyOf(folder.get());
  if (!key) return key.refusal();
  const Result<std::string_view> text = ReadFile(AT_FDCWD, "/proc/locks");
  if (!text) return text.refusal();
  return ParseLocks(*text, *key);
}

}  // namespace desk
