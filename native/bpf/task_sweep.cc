#include "bpf/task_sweep.h"

#include <cerrno>
#include <mutex>

#include "bpf/task_rows.h"
#include "bpf/tracing.h"
#include "probe/proc_pids.h"

namespace desk::bpf {
namespace {

// What is kept of one root between its sweeps.
struct RootMemory {
  explicit RootMemory(Root& root) : our_pids(HasOurPids(root.fd())) {}

  std::mutex mutex;
  // The iterator tells pids of the initial pid namespace, in which this process is when it could be loaded.
  const bool our_pids;
  bool listed_once = false;
  ReadBuffer buffer;
  TaskMemory tasks;
};

}  // namespace

Result<TaskSweepResult> SweepTasks(Root& root, const Columns& columns, const Capacity& capacity,
                                   bool listed) {
  const Tracing& tracing = TheTracing();
  if (!tracing.tasks) return Errno{tracing.error};
  auto& memory = root.Memory<RootMemory>();
  const std::lock_guard lock(memory.mutex);
  if (!memory.our_pids) return Errno{EXDEV};
  if (listed || !memory.listed_once) {
    if (const int error = ListAllPids(root.fd(), memory.tasks.listed)) return Errno{error};
    memory.listed_once = true;
  }
  const Result<std::span<const std::byte>> bytes = tracing.tasks->Read(memory.buffer);
  if (!bytes) return bytes.refusal();
  if (bytes->size() % sizeof(TaskRecord) != 0) return Errno{EBADMSG};
  // operator new aligns for every type; the records were made by the kernel, byte for byte.
  const auto* const records = reinterpret_cast<const TaskRecord*>(bytes->data());
  return FillTaskRows(root, columns, capacity, {records, bytes->size() / sizeof(TaskRecord)},
                      tracing.task_facts, memory.tasks);
}

std::vector<std::int32_t> UntoldPids(Root& root) {
  auto& memory = root.Memory<RootMemory>();
  const std::lock_guard lock(memory.mutex);
  return memory.tasks.absent;
}

}  // namespace desk::bpf
