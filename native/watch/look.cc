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

Look::Look()
    : memory_(std::make_unique_for_overwrite<std::uint64_t[]>(LayoutBytes(kOneRow) / 8)),
      row_(Bind(reinterpret_cast<std::byte*>(memory_.get()), kOneRow)) {}

void Look::Keep(std::shared_ptr<Root> root, std::shared_ptr<const ProcessTable> table) {
  auto kept = std::make_shared<const Kept>(Kept{.root = std::move(root), .table = std::move(table)});
  const std::lock_guard lock(mutex_);
  kept_ = std::move(kept);
}

void Look::Arm() {
  const std::shared_ptr<const Kept> kept = this->kept();
  const auto& [root, table] = *kept;
  const Columns& columns = table->columns();
  auto armed = std::make_shared<Armed>();
  armed->listeners = listeners_.Of(columns.listeners, table->rows().listeners);
  for (const std::int32_t pid : bpf::UnreportedPids(*root))
    if (table->Has(pid))
      armed->unreported.emplace(pid, RowBytes(columns, table->capacity(), table->Find(pid)));
  armed->root = root;
  const std::lock_guard lock(mutex_);
  armed_ = std::move(armed);
  counts_.last_ns = 0;
}

void Look::Disarm() {
  const std::lock_guard lock(mutex_);
  kept_.reset();
  armed_.reset();
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
  const auto memory = std::make_unique_for_overwrite<std::uint64_t[]>(LayoutBytes(kScratch) / 8);
  const Columns read = Bind(reinterpret_cast<std::byte*>(memory.get()), kScratch);
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
  if (refusals > 0 || !kept->root->Memory<Owners>().Hold(static_cast<double>(MonotonicNs()) / 1e6))
    return false;
  const std::lock_guard lock(mutex_);
  return kept_ == kept &&
         listeners_.Of(kept->table->columns().listeners, kept->table->rows().listeners) == sum;
}

Look::Found Look::Compare(bpf::Scheduling scheduling) {
  const std::lock_guard looking(looking_);
  std::unique_lock lock(mutex_);
  const std::shared_ptr<const Armed> armed = armed_;
  if (!armed) return Found::kDiffers;
  lock.unlock();
  const std::int64_t started_ns = MonotonicNs();
  const bool same = Same(*armed, scheduling);
  const std::int64_t spent_ns = MonotonicNs() - started_ns;
  lock.lock();
  counts_.spent_ns += spent_ns;
  if (armed_ != armed) return Found::kOvertaken;
  if (!same) return Found::kDiffers;
  ++counts_.held;
  counts_.last_ns = started_ns;
  return Found::kSame;
}

// What differs most often comes first.
bool Look::Same(const Armed& armed, bpf::Scheduling scheduling) {
  const Result<bool> tasks = bpf::SameTasks(*armed.root, scheduling);
  if (!tasks || !*tasks || !SameFiles(armed)) return false;
  const auto [sum, refusals] = listeners_.Dump();
  if (refusals > 0 || sum != armed.listeners) return false;
  return armed.root->Memory<Owners>().Hold(static_cast<double>(MonotonicNs()) / 1e6);
}

bool Look::SameFiles(const Armed& armed) {
  return std::ranges::all_of(
      armed.unreported,
      [&](const auto& entry) {
        const auto& [pid, bytes] = entry;
        Arena arena(row_.text, 0, kOneRow.text);
        row_.processes.pid[0] = pid;
        RowFiller(*armed.root, row_, arena).Fill(0);
        return RowBytes(row_, kOneRow, 0) == bytes;
      });
}

Look::Counts Look::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace desk
