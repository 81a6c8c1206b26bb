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
  ReadBuffer buffer;
  TaskMemory tasks;
};

Result<std::span<const TaskRecord>> ReadTasks(Root& root, ReadBuffer& buffer) {
  const Tracing& tracing = TheTracing();
  if (!tracing.tasks) return Errno{tracing.error};
  if (!root.Memory<PidNamespace>().ours) return Errno{EXDEV};
  const Result<std::span<const std::byte>> bytes = tracing.tasks->Read(buffer);
  if (!bytes) return bytes.refusal();
  if (bytes->size() % sizeof(TaskRecord) != 0) return Errno{EBADMSG};
  // operator new aligns for every type; the kernel wrote the records byte for byte.
  const auto* const records = reinterpret_cast<const TaskRecord*>(bytes->data());
  return std::span(records, bytes->size() / sizeof(TaskRecord));
}

}  // namespace

Result<TaskSweepResult> SweepTasks(Root& root, const Columns& columns, const Capacity& capacity,
                                   bool listed) {
  if (!TheTracing().tasks) return Errno{TheTracing().error};
  auto& memory = root.Memory<RootMemory>();
  const std::lock_guard lock(memory.mutex);
  if (!root.Memory<PidNamespace>().ours) return Errno{EXDEV};
  if (listed || !memory.listed_once) {
    if (const int error = ListAllPids(root.fd(), memory.tasks.listed)) return Errno{error};
    memory.listed_once = true;
  }
  const Result<std::span<const TaskRecord>> records = ReadTasks(root, memory.buffer);
  if (!records) return records.refusal();
  return FillTaskRows(root, columns, capacity, *records, TheTracing().task_facts, memory.tasks);
}

Result<std::uint32_t> ListTasks(Root& root, std::span<std::int32_t> into) {
  ReadBuffer buffer;
  const Result<std::span<const TaskRecord>> records = ReadTasks(root, buffer);
  if (!records) return records.refusal();
  TaskTable table;
  table.Take(*records);
  const auto leaders = table.leaders();
  if (leaders.size() <= into.size())
    std::ranges::transform(leaders, into.begin(), [](const TaskRecord* leader) { return leader->pid; });
  return static_cast<std::uint32_t>(leaders.size());
}

std::vector<std::int32_t> UnreportedPids(Root& root) {
  auto& memory = root.Memory<RootMemory>();
  const std::lock_guard lock(memory.mutex);
  return memory.tasks.absent;
}

}  // namespace desk::bpf
