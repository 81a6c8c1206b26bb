#include "bpf/task_sweep.h"

#include <algorithm>
#include <cerrno>
#include <mutex>

#include "bpf/task_rows.h"
#include "bpf/task_table.h"
#include "bpf/tracing.h"
#include "probe/proc_pids.h"

namespace desk::bpf {
namespace {

// The iterator uses pids of the initial pid namespace; it can only be loaded inside it.
struct PidNamespace {
  explicit PidNamespace(Root& root) : ours(HasOurPids(root.fd())) {}

  const bool ours;
};

// State of a root between sweeps.
struct RootMemory {
  explicit RootMemory(Root&) {}

  std::mutex mutex;
  bool listed_once = false;
  TaskMemory tasks;
};

}  // namespace

Result<TaskSweepResult> SweepTasks(Root& root, const Columns& columns, const Capacity& capacity,
                                   bool listed) {
  TaskSource* const source = TasksInUse();
  if (source == nullptr) return Errno{TheTracing().error};
  auto& memory = root.Memory<RootMemory>();
  const std::lock_guard lock(memory.mutex);
  if (!root.Memory<PidNamespace>().ours) return Errno{EXDEV};
  if (listed || !memory.listed_once) {
    if (const int error = ListAllPids(root.fd(), memory.tasks.listed)) return Errno{error};
    memory.listed_once = true;
  }
  const Result<TaskRecords> read = source->ReadAll();
  if (!read) return read.refusal();
  TaskSweepResult result =
      FillTaskRows(root, columns, capacity, read->records, source->facts(), memory.tasks);
  result.tasks = read->tasks;
  return result;
}

Result<TaskSweepResult> SweepProcesses(Root& root, const Columns& columns, const Capacity& capacity,
                                       std::span<const std::int32_t> pids,
                                       std::span<const std::int32_t> known) {
  TaskSource* const source = TasksInUse();
  if (source == nullptr) return Errno{TheTracing().error};
  if (!root.Memory<PidNamespace>().ours) return Errno{EXDEV};
  const Result<TaskRecords> read = source->ReadProcesses(pids);
  if (!read) return read.refusal();
  TaskMemory memory;
  memory.listed.assign(known.begin(), known.end());
  return FillTaskRows(root, columns, capacity, read->records, source->facts(), memory);
}

Result<std::uint32_t> ListTasks(Root& root, std::span<std::int32_t> into) {
  TaskSource* const source = TasksInUse();
  if (source == nullptr) return Errno{TheTracing().error};
  if (!root.Memory<PidNamespace>().ours) return Errno{EXDEV};
  const Result<TaskRecords> read = source->ReadAll();
  if (!read) return read.refusal();
  TaskTable table;
  table.Take(read->records);
  const auto leaders = table.leaders();
  if (leaders.size() <= into.size())
    std::ranges::transform(leaders, into.begin(), [](const TaskRecord* leader) { return leader->pid; });
  return static_cast<std::uint32_t>(leaders.size());
}

std::size_t KeptTextBytes(Root& root) {
  auto& memory = root.Memory<RootMemory>();
  const std::lock_guard lock(memory.mutex);
  return memory.tasks.texts.Bytes();
}

std::vector<std::int32_t> UnreportedPids(Root& root) {
  auto& memory = root.Memory<RootMemory>();
  const std::lock_guard lock(memory.mutex);
  return memory.tasks.absent;
}

}  // namespace desk::bpf
