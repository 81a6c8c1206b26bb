// Converts records of the task iterator to the facts of the files under /proc/PID. Pure.
#pragma once

#include <cstdint>

#include "bpf/task_record.h"
#include "core/wrap.h"
#include "probe/proc_stat.h"
#include "probe/proc_status.h"
#include "probe/proc_threads.h"

namespace desk::bpf {

// PF_EXITING, linux/sched.h.
inline constexpr std::uint32_t kPfExiting = 0x00000004;

// The state letter of /proc/PID/stat from the state and exit_state of task_struct.
char StateLetter(std::uint32_t state, std::uint32_t exit_state);

// A zombie or dead thread.
inline bool HasEnded(const TaskRecord& record) { return record.exit_state != 0; }
// About to be removed: /proc does not show it any more, or will not shortly.
bool Dead(const TaskRecord& record);
// Exiting, and already out of its namespaces: it runs no program any more, and its files are empty.
inline bool Leaving(const TaskRecord& record) {
  return (record.flags & kPfExiting) != 0 && record.ns_mnt == 0 && record.ns_net == 0;
}

// Clock ticks, as in /proc, of a time after boot.
std::uint64_t TicksOf(std::uint64_t boottime_ns);

Stat StatOf(const TaskRecord& record);
Status StatusOf(const TaskRecord& record);

// The facts of a thread except its label, as far as this kernel's configuration provides them
// (TaskProgram::facts).
ThreadFacts FactsOf(const TaskRecord& record, std::uint16_t provided);
// The same as FACT_* bits: namespaces seen, and those that this kernel does not provide.
LinkOutcome LinksOf(const ThreadFacts& facts, std::uint16_t provided);

}  // namespace desk::bpf
