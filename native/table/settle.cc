// Values of a row that depend on other rows or on sets: computed again where these may have changed.
#include <utility>
#include <vector>

#include "kernel/derive.h"
#include "kernel/pid_set.h"
#include "table/process_table.h"

namespace desk {

std::uint8_t ProcessTable::LookUp(std::uint32_t row) const {
  const ProcessView& rows = columns_.processes;
  const std::int32_t parent = rows.ppid[row];
  const std::uint8_t missing = parent == 0 || Has(parent) ? 0 : kLookupParentMissing;
  return missing | identities_.LookUp(rows.identity[row]);
}

void ProcessTable::SetLookups(std::uint32_t row, std::uint8_t lookups) {
  if (columns_.processes.lookups[row] == lookups) return;
  columns_.processes.lookups[row] = lookups;
  Replaced(row);
}

void ProcessTable::SetIdentities(Identities identities) {
  identities_ = std::move(identities);
  const ProcessView& rows = columns_.processes;
  for (std::uint32_t row = 0; row < rows_.processes; ++row)
    SetLookups(row, static_cast<std::uint8_t>((rows.lookups[row] & kLookupParentMissing) |
                                              identities_.LookUp(rows.identity[row])));
}

void ProcessTable::Settle() {
  SettleParents();
  SettleOwn();
}

void ProcessTable::SettleParents() {
  if (parents_due_.empty()) return;
  PidSet due;
  for (const std::int32_t pid : parents_due_) due.Add(pid);
  parents_due_.clear();
  const ProcessView& rows = columns_.processes;
  for (std::uint32_t row = 0; row < rows_.processes; ++row)
    if (due.Has(rows.ppid[row])) SetLookups(row, LookUp(row));
}

void ProcessTable::SettleOwn() {
  if (!own_due_) return;
  own_due_ = false;
  const ProcessView& rows = columns_.processes;
  const std::vector<std::uint8_t> before(rows.own, rows.own + rows_.processes);
  std::vector<std::int32_t> own = MarkOwn(rows, rows_.processes, options_.self);
  for (std::uint32_t row = 0; row < rows_.processes; ++row)
    if (rows.own[row] != before[row]) Replaced(row);
  if (own == own_) return;
  own_ = std::move(own);
  owners_due_ = true;
}

}  // namespace desk
