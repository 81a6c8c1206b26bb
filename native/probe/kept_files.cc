#include "probe/kept_files.h"

#include <fcntl.h>
#include <sys/resource.h>

#include <iterator>
#include <utility>

#include "core/path.h"
#include "core/read.h"

namespace desk {
namespace {

std::size_t RoomForOpenFiles() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return static_cast<std::size_t>(limit.rlim_cur / 2);
}

}  // namespace

std::map<std::int32_t, KeptPair> KeptFileCache::Borrow(std::int32_t first, std::int32_t past) {
  std::map<std::int32_t, KeptPair> taken;
  const std::lock_guard lock(mutex_);
  for (auto at = files_.lower_bound(first); at != files_.end() && at->first < past;)
    taken.insert(taken.end(), files_.extract(at++));
  return taken;
}

void KeptFileCache::Return(std::map<std::int32_t, KeptPair>&& files) {
  const std::lock_guard lock(mutex_);
  files_.merge(files);
  for (const auto& [pid, pair] : files) open_ -= pair.open();
}

bool KeptFileCache::Reserve(std::size_t most) {
  const std::lock_guard lock(mutex_);
  if (open_ >= most) return false;
  ++open_;
  return true;
}

void KeptFileCache::GiveUp(std::size_t files) {
  const std::lock_guard lock(mutex_);
  open_ -= files;
}

KeptFiles::KeptFiles(KeptFileCache& cache, std::int32_t first, std::int32_t past)
    : cache_(cache), files_(cache.Borrow(first, past)), most_(RoomForOpenFiles()) {
  for (auto& [pid, pair] : files_) pair.used = false;
}

KeptFiles::~KeptFiles() {
  std::size_t unused = 0;
  std::erase_if(files_, [&unused](const auto& kept) {
    if (!kept.second.used) unused += kept.second.open();
    return !kept.second.used;
  });
  cache_.GiveUp(unused);
  cache_.Return(std::move(files_));
}

template <class Read>
auto KeptFiles::ReadKept(int root, std::int32_t pid, const char* name, Fd KeptPair::*file, Read read)
    -> decltype(read(0)) {
  const auto found = files_.find(pid);
  if (found != files_.end() && (found->second.*file).valid()) {
    auto again = read((found->second.*file).get());
    if (!IsGone(again.error())) {
      found->second.used = true;
      return again;
    }
    found->second.*file = Fd();
    cache_.GiveUp(1);
  }
  Fd fresh(::openat(root, ProcPath(pid).File(name), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fresh.valid()) return Errno{errno};
  auto result = read(fresh.get());
  if (result && cache_.Reserve(most_)) {
    KeptPair& pair = files_[pid];
    pair.*file = std::move(fresh);
    pair.used = true;
  }
  return result;
}

Result<Stat> KeptFiles::ReadStat(int root, std::int32_t pid) {
  return ReadKept(
      root, pid, "stat", &KeptPair::stat,
      [pid](int file) {
        return ReadRecordAgain(file).AndThen([pid](std::string_view text) { return ParseStatOf(text, pid); });
      });
}

Result<Status> KeptFiles::ReadStatus(int root, std::int32_t pid) {
  return ReadKept(
      root, pid, "status", &KeptPair::status,
      [](int file) { return ReadRecordAgain(file).AndThen(ParseStatus); });
}

}  // namespace desk
