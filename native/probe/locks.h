// Exclusive advisory locks on folders and files: flock(2), and who holds them: proc_locks(5). A folder cannot
// be deleted under its lock as a lock file can: another folder of that name is another lock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/fd.h"
#include "core/handles.h"
#include "core/result.h"

namespace desk {

// A file as /proc/locks names it: device of its superblock and inode number.
struct FileKey {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::uint64_t inode = 0;
  bool operator==(const FileKey&) const = default;
};

// The key of an open file: its inode from the text of /proc/PID/fdinfo/FD, the device from the line of its
// mount in /proc/PID/mountinfo. Nothing when either is missing (`ino:` came with Linux 5.14).
std::optional<FileKey> ParseFileKey(std::string_view info, std::string_view mounts);

// The same of an open file (O_PATH will do), before 5.14 with the inode number of statx(2), whose mount is
// listed in the mountinfo file at `directory`, `path`. Accesses no file system: a server that does not answer
// cannot block it.
std::optional<FileKey> KeyOfOpenFile(int fd, int directory, const char* path);

// Exclusive flocks held on the file. Waiters (`->`), POSIX locks, leases and unknown lines do not count.
std::uint32_t ParseLocks(std::string_view text, const FileKey& file);

// A lock, released when it is destroyed. At the end of the process the kernel releases it.
class HeldLock {
 public:
  explicit HeldLock(Fd file) : file_(std::move(file)) {}
  HeldLock(const HeldLock&) = delete;
  HeldLock& operator=(const HeldLock&) = delete;
  ~HeldLock();

 private:
  Fd file_;
};

// Takes LOCK_EX | LOCK_NB on a folder or file; its handle (HandlesOf<HeldLock>), EWOULDBLOCK when the lock is
// held elsewhere.
Result<int> Lock(const std::string& path);

// Holders of an exclusive flock on the folder, this process included.
Result<std::uint32_t> CountLockHolders(const std::string& path);

}  // namespace desk
