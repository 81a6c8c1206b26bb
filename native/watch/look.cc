#include "watch/look.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "core/arena.h"
#include "probe/owners.h"
#include "probe/proc_fill.h"
#include "table/row_bytes.h"
#include "table/table_update.h"
#include "watch/clock.h"

namespace desk {
namespace {

// Executable and control group are paths (PATH_MAX).
constexpr Capacity kOneRow{.processes = 1, .text = 1 << 14};

}  // namespace

Look::Look() : row_(kOneRow) {}

void Look::Keep(std::shared_ptr<Root> root, std::shared_ptr<const ProcessTable> table, bool whole) {
  auto kept = std::make_shared<Kept>(
      Kept{.root = std::move(root), .table = std::move(table), .whole = whole, .listeners = 0});
  if (whole) {
    const ProcessTable& rows = *kept->table;
    kept->listeners = listeners_.Of(rows.columns().listeners, rows.rows().listeners);
    for (const std::int32_t pid : bpf::UnreportedPids(*kept->root))
      if (rows.Has(pid))
        kept->unreported.emplace(pid, RowBytes(rows.columns(), rows.capacity(), rows.Find(pid)));
  }
  const std::lock_guard lock(mutex_);
  kept_ = std::move(kept);
  counts_.last_ns = 0;
}

void Look::Forget() {
  const std::lock_guard lock(mutex_);
  kept_.reset();
  counts_.last_ns = 0;
}

std::shared_ptr<const Look::Kept> Look::kept() const {
  const std::lock_guard lock(mutex_);
  return kept_;
}

std::vector<std::int32_t> Look::Changed(std::span<const std::int32_t> pids) {
  std::vector<std::int32_t> changed(pids.begin(), pids.end());
  const std::shared_ptr<const Kept> kept = this->kept();
  if (!kept || pids.size() > kScratch.processes) return changed;
  const OwnColumns scratch(kScratch);
  const Columns& read = scratch.columns();
  const std::optional<std::uint32_t> rows = TaskReader(*kept->root)({.pids = pids, .known = {}}, read);
  const std::lock_guard lock(mutex_);
  // The table does not change while it is kept.
  if (!rows || kept_ != kept) return changed;
  const ProcessTable& table = *kept->table;
  for (std::uint32_t row = 0; row < *rows; ++row) {
    const std::int32_t pid = read.processes.pid[row];
    const std::uint8_t state = read.processes.state[row];
    if (state == 0 || state == kUnknownState || IsZombie(state) || !table.Has(pid) || table.IsHolder(pid))
      continue;
    if (RowBytes(read, kScratch, row) == RowBytes(table.columns(), table.capacity(), table.Find(pid)))
      std::erase(changed, pid);
  }
  return changed;
}

bool Look::ListenersHold() {
  const std::shared_ptr<const Kept> kept = this->kept();
  if (!kept) return false;
  const std::lock_guard looking(looking_);
  const auto [sum, refusals] = listeners_.Dump();
  if (refusals > 0 || !kept->root->Memory<Owners>().Hold(MonotonicMs(), Owners::Searches::kOfListeners))
    return false;
  const std::lock_guard lock(mutex_);
  return kept_ == kept &&
         listeners_.Of(kept->table->columns().listeners, kept->table->rows().listeners) == sum;
}

Look::Found Look::Compare(bpf::Scheduling scheduling) {
  const std::lock_guard looking(looking_);
  const std::shared_ptr<const Kept> kept = this->kept();
  if (!kept || !kept->whole) return Found::kDiffers;
  const std::int64_t started_ns = MonotonicNs();
  const bool same = Same(*kept, scheduling);
  const std::int64_t spent_ns = MonotonicNs() - started_ns;
  const std::lock_guard lock(mutex_);
  counts_.spent_ns += spent_ns;
  if (kept_ != kept) return Found::kOvertaken;
  if (!same) return Found::kDiffers;
  ++counts_.held;
  counts_.last_ns = started_ns;
  return Found::kSame;
}

// What differs most often comes first.
bool Look::Same(const Kept& kept, bpf::Scheduling scheduling) {
  const Result<bool> tasks = bpf::SameTasks(*kept.root, scheduling);
  if (!tasks || !*tasks || !SameFiles(kept)) return false;
  const auto [sum, refusals] = listeners_.Dump();
  if (refusals > 0 || sum != kept.listeners) return false;
  return kept.root->Memory<Owners>().Hold(MonotonicMs(), Owners::Searches::kOfListeners);
}

bool Look::SameFiles(const Kept& kept) {
  const Columns& columns = row_.columns();
  return std::ranges::all_of(kept.unreported, [&](const auto& entry) {
    const auto& [pid, bytes] = entry;
    Arena arena(columns.text, 0, kOneRow.text);
    columns.processes.pid[0] = pid;
    RowFiller(*kept.root, columns, arena).Fill(0);
    return RowBytes(columns, kOneRow, 0) == bytes;
  });
}

Look::Counts Look::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace desk
