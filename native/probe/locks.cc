#include "probe/locks.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <optional>

#include "core/mounts.h"
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

// The file may be replaced between our open and our flock; more often than this only on purpose.
constexpr int kAttempts = 8;

// The value of line `name:` of /proc/PID/fdinfo/FD (proc_pid_fdinfo(5)).
std::optional<std::uint64_t> InfoNumber(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    std::string_view line = TakeUntil(text, '\n');
    if (TakeUntil(line, ':') == name) return ParseNumber<std::uint64_t>(TrimBlanks(line));
  }
  return std::nullopt;
}

// Where subvolumes and layers have devices of their own (btrfs, overlayfs), stat(2) reports another device
// than /proc/locks; fdinfo and the mount's line have the kernel's own numbers. Fall back to those of stat.
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
  const auto line = FindMount(mounts, *mount);
  if (!line) return std::nullopt;
  std::string_view device = line->device;
  FileKey key{.inode = *inode};
  if (!ParseInto(key.major, TakeUntil(device, ':')) || !ParseInto(key.minor, device)) return std::nullopt;
  return key;
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
    for (std::string_view& field : fields) field = TakeField(line);
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
    while (::flock(opened.get(), LOCK_EX | LOCK_NB) != 0)
      if (errno != EINTR) return Errno{errno};
    struct stat ours {};
    struct stat there {};
    if (::fstat(opened.get(), &ours) != 0) return Errno{errno};
    if (::stat(path.c_str(), &there) == 0 && ours.st_dev == there.st_dev && ours.st_ino == there.st_ino)
      return HandlesOf<HeldLock>().Open(std::make_shared<HeldLock>(std::move(opened)));
  }
  return Errno{EBUSY};
}

// Closing alone would leave the lock with a forked child that still has the open file.
HeldLock::~HeldLock() { ::flock(file_.get(), LOCK_UN); }

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
