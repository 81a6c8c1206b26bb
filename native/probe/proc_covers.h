// What is mounted over processes of a proc root: over /proc/PID itself or over something below it, so that it
// shows another process, or nothing. The mount table is read again only when it has changed.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/fd.h"
#include "core/result.h"
#include "core/root.h"

namespace desk {

struct ProcCover {
  std::int32_t pid = 0;
  // Below the process' folder: "" for the folder itself, "fd", "task/5/exe"; blanks as \040.
  std::string place;
};

inline constexpr std::size_t kMostCovers = 1024;

// The first kMostCovers in a mountinfo text (proc_pid_mountinfo(5)) that lie on the mount `mount_id`.
// ENOENT when no line has that mount.
Result<std::vector<ProcCover>> ParseCovers(std::string_view text, std::uint64_t mount_id);

class ProcCovers {
 public:
  explicit ProcCovers(Root& root) : root_(root.fd()) {}

  // In our own mount namespace. EOPNOTSUPP before Linux 5.8.
  Result<std::vector<ProcCover>> Read();

 private:
  Result<std::vector<ProcCover>> ReadTable();

  const int root_;
  std::mutex mutex_;
  Fd table_;
  Result<std::vector<ProcCover>> last_ = Errno{EAGAIN};
};

}  // namespace desk
