#include "probe/proc_pids.h"

#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>

#include "core/directory.h"
#include "core/read.h"
#include "core/text.h"

namespace desk {

Result<std::uint32_t> ListPids(int root, std::span<std::int32_t> into) {
  std::uint32_t count = 0;
  const Result<bool> walked = WalkNumbers(root, ".", [&](std::int32_t pid, int) {
    if (pid == 0) return true;
    if (count < into.size()) into[count] = pid;
    ++count;
    return true;
  });
  if (!walked) return walked.refusal();
  // /proc is in order, a fixture folder is not.
  const auto written = into.first(std::min<std::size_t>(count, into.size()));
  if (!std::ranges::is_sorted(written)) std::ranges::sort(written);
  return count;
}

int ListAllPids(int root, std::vector<std::int32_t>& pids) {
  constexpr std::size_t kUsual = 4096;
  pids.resize(std::max(pids.capacity(), kUsual));
  for (;;) {
    const Result<std::uint32_t> count = ListPids(root, pids);
    if (!count) {
      pids.clear();
      return count.error();
    }
    const bool fits = *count <= pids.size();
    // Room for processes started meanwhile.
    pids.resize(fits ? *count : *count + *count / 8);
    if (fits) return 0;
  }
}

bool HasOurPids(int root) {
  struct statfs about {};
  if (::fstatfs(root, &about) != 0 || about.f_type != PROC_SUPER_MAGIC) return false;
  const Result<std::string_view> self = ReadLink(root, "self");
  return self && ParseNumber<std::int32_t>(*self) == ::getpid();
}

}  // namespace desk
