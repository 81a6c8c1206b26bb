// A sweep by the task iterator: the same rows as the procfs sweep, from one run over all threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/columns.h"
#include "core/result.h"
#include "core/root.h"

namespace desk::bpf {

struct TaskSweepResult {
  // Rows wanted: one per thread-group leader. More than the capacity: nothing was written, call again with
  // more.
  std::uint32_t count = 0;
  // Threads that the kernel has.
  std::uint32_t tasks = 0;
  // The text arena ran out.
  bool overflow = false;
};

// Fills the process columns, ascending by pid, and the text arena. With `listed`, processes that only /proc
// lists get their rows from /proc, in this sweep and in later ones; the first sweep of a root always does so.
// Refusals: the iterator's (TheTracing), EXDEV for a root that is not the /proc of the initial pid namespace.
// Sweeps of one root wait for each other.
Result<TaskSweepResult> SweepTasks(Root& root, const Columns& columns, const Capacity& capacity, bool listed);

// The same for these processes alone (ascending): a row for each that exists. `known` of them, if the
// iterator does not report them, get their rows from /proc. EOPNOTSUPP where the kernel can only report all,
// E2BIG for more than kMostRequested pids. Does not wait.
Result<TaskSweepResult> SweepProcesses(Root& root, const Columns& columns, const Capacity& capacity,
                                       std::span<const std::int32_t> pids,
                                       std::span<const std::int32_t> known);

// The same from the records of the last SweepTasks or ChangedTasks of the root, one of which must have
// succeeded: what looks compare with. Rows that come from /proc are those of unreported processes from now
// on. Waits for a sweep.
Result<TaskSweepResult> WalkedProcesses(Root& root, const Columns& columns, const Capacity& capacity,
                                        std::span<const std::int32_t> pids,
                                        std::span<const std::int32_t> known);

// Adds the processes whose records differ from those of the last SweepTasks or ChangedTasks of the root, or
// that came or went, and those that the iterator did not report then; in no order, a pid may come twice.
// False before the first SweepTasks. Texts that change without a change key (native/bpf/text_cache.h) make no
// difference. Refusals and waiting as SweepTasks.
Result<bool> ChangedTasks(Root& root, std::vector<std::int32_t>& pids);

// Whether a thread that ran and sleeps now, or the other way round, is another one: never our own, which runs
// when it reads itself.
enum class Scheduling : std::uint8_t { kIgnored, kCompared };

// Whether ChangedTasks would add none but the unreported ones. Nothing is kept: the next call compares with
// the same records.
Result<bool> SameTasks(Root& root, Scheduling scheduling);

// Pids of the processes that the iterator reports, ascending, without reading /proc; more than `into` holds
// are counted and not written. Refusals as above. Does not wait.
Result<std::uint32_t> ListTasks(Root& root, std::span<std::int32_t> into);

// The processes whose change key (TaskRecord) was another one in a later SweepTasks or ChangedTasks of the
// root, since the last call: they executed a program, perhaps the same one, or their executable or control
// group changed. In no order, a pid may come twice. Nothing where that is not known: before the first
// SweepTasks, and once after it. Waits for a sweep.
std::optional<std::vector<std::int32_t>> TakeExecuted(Root& root);

// Memory of the texts that are kept for the next sweep of the root. Waits for a sweep.
std::size_t KeptTextBytes(Root& root);

// The processes of the last sweep of the root that the iterator did not report, ascending.
std::vector<std::int32_t> UnreportedPids(Root& root);

}  // namespace desk::bpf
