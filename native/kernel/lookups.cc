#include "kernel/lookups.h"

#include "kernel/pid_table.h"

namespace desk {

void LookUpRows(const ProcessView& rows, std::uint32_t count, const Identities& identities) {
  kernel::PidTable pids;
  pids.Fill({rows.pid, count});
  for (std::uint32_t row = 0; row < count; ++row) {
    const std::int32_t parent = rows.ppid[row];
    const std::uint8_t missing = parent == 0 || pids.Has(parent) ? 0 : kLookupParentMissing;
    rows.lookups[row] = missing | identities.LookUp(rows.identity[row]);
  }
}

}  // namespace desk
