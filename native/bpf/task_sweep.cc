#include "bpf/task_sweep.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <mutex>
#include <utility>

#include "bpf/task_facts.h"
#include "bpf/task_rows.h"
#include "bpf/task_table.h"
#include "bpf/tracing.h"
#include "core/sorted.h"
#include "probe/proc_pids.h"

namespace desk::bpf {
namespace {

// With more processes that were read apart, all texts are read again.
constexpr std::size_t kMostApart = 4096;

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
  // As last read.
  TaskRecords records;
  // See TakeExecuted; nothing before its first call that followed a walk.
  std::optional<std::vector<std::int32_t>> executed;
};

// Processes whose texts were read apart from the sweeps since the last one: what is kept may be older.
class ReadApart {
 public:
  explicit ReadApart(Root&) {}

  void Note(std::span<const std::int32_t> pids) {
    const std::lock_guard lock(mutex_);
    if (pids_.size() <= kMostApart) pids_.insert(pids_.end(), pids.begin(), pids.end());
  }
  void Expire(TextCache& texts) {
    const std::lock_guard lock(mutex_);
    if (pids_.size() > kMostApart)
      texts.ExpireAll();
    else
      for (const std::int32_t pid : pids_) texts.Expire(pid);
    pids_.clear();
  }

 private:
  std::mutex mutex_;
  std::vector<std::int32_t> pids_;
};

bool SameTask(const TaskRecord& one, const TaskRecord& other) {
  return std::memcmp(&one, &other, sizeof(TaskRecord)) == 0;
}

// The same but for what a running thread waits for: running, sleeping, idle.
bool SameButScheduled(const TaskRecord& one, const TaskRecord& other) {
  if (SameTask(one, other)) return true;
  const auto waiting = [](TaskRecord record) {
    if (IsScheduled(StateLetter(record.state, record.exit_state))) record.state = 0;
    return record;
  };
  return SameTask(waiting(one), waiting(other));
}

bool Executed(const TaskRecord& before, const TaskRecord& now) {
  return now.pid == now.tgid && before.start_ns == now.start_ns && before.change_key != now.change_key;
}

// Adds the processes of the tasks that are not in both, or not equal; and those that executed a program.
void AddDiffering(std::span<const TaskRecord> some, std::span<const TaskRecord> others,
                  std::vector<std::int32_t>& pids, std::optional<std::vector<std::int32_t>>& executed) {
  // The kernel walks tasks in the order of their births: what ended or came is behind this, as a rule.
  const auto [here, there] = std::ranges::mismatch(some, others, SameTask);
  some = {here, some.end()};
  others = {there, others.end()};
  if (some.empty() && others.empty()) return;
  const auto sorted = [](std::span<const TaskRecord> records) {
    std::vector<const TaskRecord*> pointers(records.size());
    std::ranges::transform(records, pointers.begin(), [](const TaskRecord& record) { return &record; });
    std::ranges::sort(pointers, {}, [](const TaskRecord* record) { return record->pid; });
    return pointers;
  };
  const std::vector<const TaskRecord*> before = sorted(some);
  const std::vector<const TaskRecord*> now = sorted(others);
  auto one = before.begin();
  auto other = now.begin();
  while (one != before.end() || other != now.end()) {
    if (other == now.end() || (one != before.end() && (*one)->pid < (*other)->pid)) {
      pids.push_back((*one++)->tgid);
    } else if (one == before.end() || (*other)->pid < (*one)->pid) {
      pids.push_back((*other++)->tgid);
    } else {
      if (!SameTask(**one, **other)) pids.insert(pids.end(), {(*one)->tgid, (*other)->tgid});
      if (executed && Executed(**one, **other)) executed->push_back((*other)->pid);
      ++one;
      ++other;
    }
  }
}

// Fills rows apart from a sweep. Processes that only /proc has are left in `memory`.
TaskSweepResult FillApart(Root& root, const Columns& columns, const Capacity& capacity,
                          std::span<const TaskRecord> records, std::uint16_t provided,
                          std::span<const std::int32_t> pids, std::span<const std::int32_t> known,
                          TaskMemory& memory) {
  memory.listed.assign(known.begin(), known.end());
  root.Memory<ReadApart>().Note(pids);
  return FillTaskRows(root, columns, capacity, records, provided, memory);
}

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
  Result<TaskRecords> read = source->ReadAll();
  if (!read) return read.refusal();
  std::vector<std::int32_t> differing;
  AddDiffering(memory.records.records, read->records, differing, memory.executed);
  root.Memory<ReadApart>().Expire(memory.tasks.texts);
  TaskSweepResult result =
      FillTaskRows(root, columns, capacity, read->records, source->facts(), memory.tasks);
  result.tasks = read->tasks;
  memory.records = std::move(read.value());
  return result;
}

Result<bool> ChangedTasks(Root& root, std::vector<std::int32_t>& pids) {
  TaskSource* const source = TasksInUse();
  if (source == nullptr) return Errno{TheTracing().error};
  auto& memory = root.Memory<RootMemory>();
  const std::lock_guard lock(memory.mutex);
  if (memory.records.records.empty()) return false;
  Result<TaskRecords> read = source->ReadAll();
  if (!read) return read.refusal();
  AddDiffering(memory.records.records, read->records, pids, memory.executed);
  const auto& absent = memory.tasks.absent;
  pids.insert(pids.end(), absent.begin(), absent.end());
  memory.records = std::move(read.value());
  return true;
}

Result<bool> SameTasks(Root& root, Scheduling scheduling) {
  TaskSource* const source = TasksInUse();
  if (source == nullptr) return Errno{TheTracing().error};
  auto& memory = root.Memory<RootMemory>();
  const std::lock_guard lock(memory.mutex);
  if (memory.records.records.empty()) return false;
  const Result<TaskRecords> read = source->ReadAll();
  if (!read) return read.refusal();
  const std::int32_t ours = ::getpid();
  return std::ranges::equal(
      memory.records.records, read->records, [&](const TaskRecord& one, const TaskRecord& other) {
        return scheduling == Scheduling::kIgnored || one.tgid == ours ? SameButScheduled(one, other)
                                                                      : SameTask(one, other);
      });
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
  return FillApart(root, columns, capacity, read->records, source->facts(), pids, known, memory);
}

Result<TaskSweepResult> WalkedProcesses(Root& root, const Columns& columns, const Capacity& capacity,
                                        std::span<const std::int32_t> pids,
                                        std::span<const std::int32_t> known) {
  TaskSource* const source = TasksInUse();
  if (source == nullptr) return Errno{TheTracing().error};
  auto& memory = root.Memory<RootMemory>();
  const std::lock_guard lock(memory.mutex);
  std::vector<TaskRecord> records;
  std::ranges::copy_if(memory.records.records, std::back_inserter(records), [pids](const TaskRecord& record) {
    return std::ranges::binary_search(pids, record.tgid);
  });
  TaskMemory read;
  const TaskSweepResult result =
      FillApart(root, columns, capacity, records, source->facts(), pids, known, read);
  std::vector<std::int32_t>& absent = memory.tasks.absent;
  absent.insert(absent.end(), read.absent.begin(), read.absent.end());
  SortDistinct(absent);
  return result;
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

std::optional<std::vector<std::int32_t>> TakeExecuted(Root& root) {
  auto& memory = root.Memory<RootMemory>();
  const std::lock_guard lock(memory.mutex);
  if (memory.records.records.empty()) return std::nullopt;
  return std::exchange(memory.executed, std::vector<std::int32_t>());
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
