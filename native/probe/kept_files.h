// Files of /proc/PID that stay open: reading one again saves the path lookup and the open, and it always
// refers to the process it was opened for (ESRCH once that has ended, proc(5)).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "core/fd.h"
#include "core/result.h"
#include "core/root.h"
#include "probe/proc_stat.h"
#include "probe/proc_status.h"

namespace desk {

struct KeptPair {
  Fd stat;
  Fd status;
  bool used = false;

  std::size_t open() const { return std::size_t{stat.valid()} + std::size_t{status.valid()}; }
};

// The kept files of one root; workers borrow ranges of pids from it. At most half of RLIMIT_NOFILE is used,
// including borrowed files.
class KeptFileCache {
 public:
  explicit KeptFileCache(Root&) {}

  // Takes out the files of the pids in [first, past).
  std::map<std::int32_t, KeptPair> Borrow(std::int32_t first, std::int32_t past);
  // Puts them back; the files of a pid that is already there are closed.
  void Return(std::map<std::int32_t, KeptPair>&& files);

  // Whether one more file may be kept; each reservation is given up once.
  bool Reserve(std::size_t most);
  void GiveUp(std::size_t files);

 private:
  std::mutex mutex_;
  std::size_t open_ = 0;
  std::map<std::int32_t, KeptPair> files_;
};

// The kept files of a range of pids, borrowed by one reader.
class KeptFiles {
 public:
  KeptFiles(KeptFileCache& cache, std::int32_t first, std::int32_t past);
  // Returns the files that were read, and closes the rest.
  ~KeptFiles();
  KeptFiles(const KeptFiles&) = delete;
  KeptFiles& operator=(const KeptFiles&) = delete;

  // Like the functions of the same name. A file is opened again when its process is gone: the pid may have
  // been reused.
  Result<Stat> ReadStat(int root, std::int32_t pid);
  Result<Status> ReadStatus(int root, std::int32_t pid);

 private:
  template <class Read>
  auto ReadKept(int root, std::int32_t pid, const char* name, Fd KeptPair::*file, Read read)
      -> decltype(read(0));

  KeptFileCache& cache_;
  std::map<std::int32_t, KeptPair> files_;
  std::size_t most_;
};

}  // namespace desk
