#include "bpf/task_table.h"

#include <algorithm>

#include "bpf/task_facts.h"
#include "core/sorted.h"

namespace desk::bpf {
namespace {

constexpr auto kPidOf = [](const TaskRecord* record) { return record->pid; };
constexpr auto kProcessOf = [](const TaskRecord* record) { return record->tgid; };

}  // namespace

void TaskTable::Take(std::span<const TaskRecord> records) {
  leaders_.clear();
  threads_.clear();
  headless_.clear();
  threads_ordered_ = false;
  for (const TaskRecord& record : records) {
    if (Dead(record)) continue;
    (record.pid == record.tgid ? leaders_ : threads_).push_back(&record);
  }
  // Iterators usually go by ascending pid, without a guarantee.
  if (std::ranges::adjacent_find(leaders_, std::ranges::greater_equal(), kPidOf) != leaders_.end())
    OrderLeaders();
  std::int32_t last = 0;
  for (const TaskRecord* thread : threads_) {
    // Neighbours usually belong to the same process.
    if (thread->tgid == last) continue;
    last = thread->tgid;
    if (!HasLeader(last)) headless_.push_back(last);
  }
  SortDistinct(headless_);
}

// A pid is twice in the records when another thread executes a program and becomes the leader, or when the
// pid is reused, while an iterator runs that does not go by pid: the later one remains.
void TaskTable::OrderLeaders() {
  std::ranges::stable_sort(leaders_, {}, kPidOf);
  // Backwards, because of equal ones the first is kept. (clang 14 cannot compile the form in std::ranges.)
  const auto earlier =
      std::unique(leaders_.rbegin(), leaders_.rend(),
                  [](const TaskRecord* later, const TaskRecord* other) { return later->pid == other->pid; });
  leaders_.erase(leaders_.begin(), earlier.base());
}

bool TaskTable::HasLeader(std::int32_t pid) const {
  return std::ranges::binary_search(leaders_, pid, {}, kPidOf);
}

std::span<const TaskRecord* const> TaskTable::ThreadsOf(std::int32_t pid) {
  if (!threads_ordered_) {
    std::ranges::stable_sort(threads_, {}, kProcessOf);
    threads_ordered_ = true;
  }
  const auto begin = std::ranges::lower_bound(threads_, pid, {}, kProcessOf);
  const auto end = std::ranges::upper_bound(threads_, pid, {}, kProcessOf);
  return {begin, end};
}

const TaskRecord* TaskTable::LowestLiving(std::int32_t pid) {
  const TaskRecord* lowest = nullptr;
  for (const TaskRecord* thread : ThreadsOf(pid)) {
    if (HasEnded(*thread) || Leaving(*thread)) continue;
    if (lowest == nullptr || thread->pid < lowest->pid) lowest = thread;
  }
  return lowest;
}

}  // namespace desk::bpf
