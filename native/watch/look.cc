#include "watch/look.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/arena.h"
#include "probe/owners.h"
#include "probe/proc_fill.h"
#include "table/row_bytes.h"
#include "watch/clock.h"

namespace desk {
namespace {

// Executable and control group are paths (PATH_MAX).
constexpr Capacity kOneRow{.processes = 1, .text = 1 << 14};

}  // namespace

Look::Look()
    : memory_(std::make_unique_for_overwrite<std::uint64_t[]>(LayoutBytes(kOneRow) / 8)),
      row_(Bind(reinterpret_cast<std::byte*>(memory_.get()), kOneRow)) {}

void Look::Arm(std::shared_ptr<Root> root, const ProcessTable& table) {
  const Columns& columns = table.columns();
  auto armed = std::make_shared<Armed>();
  armed->listeners = listeners_.Of(columns.listeners, table.rows().listeners);
  for (const std::int32_t pid : bpf::UnreportedPids(*root))
    if (table.Has(pid)) armed->unreported.emplace(pid, RowBytes(columns, table.capacity(), table.Find(pid)));
  armed->root = std::move(root);
  const std::lock_guard lock(mutex_);
  armed_ = std::move(armed);
  counts_.last_ns = 0;
}

void Look::Disarm() {
  const std::lock_guard lock(mutex_);
  armed_.reset();
  counts_.last_ns = 0;
}

bool Look::Holds(bpf::Scheduling scheduling) {
  const std::lock_guard looking(looking_);
  std::unique_lock lock(mutex_);
  const std::shared_ptr<const Armed> armed = armed_;
  if (!armed) return false;
  lock.unlock();
  const std::int64_t started_ns = MonotonicNs();
  const bool same = Same(*armed, scheduling);
  const std::int64_t ended_ns = MonotonicNs();
  lock.lock();
  counts_.spent_ns += ended_ns - started_ns;
  // The consumer has begun to read, or has read, what this look may have found.
  if (armed_ != armed) return true;
  if (!same) return false;
  ++counts_.held;
  counts_.last_ns = ended_ns;
  return true;
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
