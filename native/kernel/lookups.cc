#include "kernel/lookups.h"

#include <algorithm>
#include <span>
#include <vector>

#include "core/sorted.h"

namespace desk {

void LookUpRows(const ProcessView& rows, std::uint32_t count, const Identities& identities) {
  std::vector<std::int32_t> pids(rows.pid, rows.pid + count);
  SortDistinct(pids);
  for (std::uint32_t row = 0; row < count; ++row) {
    const std::int32_t parent = rows.ppid[row];
    const std::uint8_t missing =
        parent == 0 || std::ranges::binary_search(pids, parent) ? 0 : kLookupParentMissing;
    rows.lookups[row] = missing | identities.LookUp(rows.identity[row]);
  }
}

}  // namespace desk
