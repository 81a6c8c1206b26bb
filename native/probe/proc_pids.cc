#include "probe/proc_pids.h"

#include <algorithm>

#include "core/directory.h"

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
  // /proc lists in order, a fixture folder does not.
  const auto written = into.first(std::min<std::size_t>(count, into.size()));
  if (!std::ranges::is_sorted(written)) std::ranges::sort(written);
  return count;
}

}  // namespace desk
