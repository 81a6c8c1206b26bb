#include "bpf/task_sweep.h"

#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <string_view>
#include <vector>

#include "bpf/task_rows.h"
#include "bpf/tracing.h"
#include "core/read.h"
#include "core/text.h"
#include "probe/proc_pids.h"

namespace desk::bpf {
namespace {

// What is kept of one root between its sweeps.
struct RootMemory {
  std::mutex mutex;
  // 0 = the root is the /proc that the iterator's pids belong to, else why not; -1 = not looked yet.
  int root_error = -1;
  bool listed_once = false;
  ReadBuffer buffer;
  TaskMemory tasks;
};

// The iterator tells pids of the initial pid namespace, in which this process is when it could be loaded: a
// proc mount that shows this process by its own pid belongs to it.
int LookAtRoot(const Root& root) {
  struct statfs about {};
  if (::statfs((root.path()).c_str(), &about) != 0) return errno;
  const Result<std::string_view> self = ReadLink(root.fd(), "self");
  if (about.f_type != PROC_SUPER_MAGIC || !self) return EXDEV;
  return ParseNumber<std::int32_t>(*self) == ::getpid() ? 0 : EXDEV;
}

// Every pid that the root lists, ascending; the value is the errno.
int List(const Root& root, std::vector<std::int32_t>& pids) {
  constexpr std::size_t kUsual = 4096;
  pids.resize(std::max(pids.capacity(), kUsual));
  for (;;) {
    const Result<std::uint32_t> count = ListPids(root.fd(), pids);
    if (!count) {
      pids.clear();
      return count.error();
    }
    const bool fits = *count <= pids.size();
    pids.resize(fits ? *count : *count + *count / 8);
    if (fits) return 0;
  }
}

// The memories of the open roots; of a closed one it goes with the next look.
std::shared_ptr<RootMemory> MemoryOf(const std::shared_ptr<Root>& root) {
  struct Kept {
    std::weak_ptr<Root> root;
    std::shared_ptr<RootMemory> memory;
  };
  struct Registry {
    std::mutex mutex;
    std::vector<Kept> kept;
  };
  // Never destroyed: worker threads may still sweep while the process ends.
  static auto* const registry = new Registry;
  const std::lock_guard lock(registry->mutex);
  std::erase_if(registry->kept, [](const Kept& kept) { return kept.root.expired(); });
  for (const Kept& kept : registry->kept) {
    if (kept.root.lock() == root) return kept.memory;
  }
  return registry->kept.emplace_back(Kept{root, std::make_shared<RootMemory>()}).memory;
}

}  // namespace

Result<TaskSweepResult> SweepTasks(const std::shared_ptr<Root>& root, const Columns& columns,
                                   const Capacity& capacity, bool listed) {
  const Tracing& tracing = TheTracing();
  if (!tracing.tasks) return Errno{tracing.error};
  const std::shared_ptr<RootMemory> memory = MemoryOf(root);
  const std::lock_guard lock(memory->mutex);
  if (memory->root_error < 0) memory->root_error = LookAtRoot(*root);
  if (memory->root_error != 0) return Errno{memory->root_error};

  if (listed || !memory->listed_once) {
    if (const int error = List(*root, memory->tasks.listed)) return Errno{error};
    memory->listed_once = true;
  }
  const Result<std::span<const std::byte>> bytes = tracing.tasks->Read(memory->buffer);
  if (!bytes) return bytes.refusal();
  if (bytes->size() % sizeof(TaskRecord) != 0) return Errno{EBADMSG};
  // operator new aligns for every type; the records were made by the kernel, byte for byte.
  const auto* const records = reinterpret_cast<const TaskRecord*>(bytes->data());
  return FillTaskRows(*root, columns, capacity, {records, bytes->size() / sizeof(TaskRecord)},
                      tracing.task_facts, memory->tasks);
}

}  // namespace desk::bpf
