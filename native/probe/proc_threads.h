// /proc/PID/task, one folder per thread (proc_pid_task(5)): the weakest thread decides for the process.
#pragma once

#include <cstdint>

#include "core/path.h"
#include "core/reference.h"
#include "core/root.h"
#include "core/wrap.h"
#include "probe/proc_attr.h"
#include "probe/proc_status.h"

namespace desk {

ThreadFacts::FromStatus FactsOf(const Status& status);

// What reading the links and the label of a process or thread came to, as FACT_* bits.
struct LinkOutcome {
  std::uint16_t seen = 0;
  std::uint16_t refused = 0;
  // Some file answered that the process or thread is no more.
  bool gone = false;
};

// Reads the four namespace links and the label below `path` into `facts`.
LinkOutcome ReadLinks(Root& root, ProcPath& path, LabelReader& labels, ThreadFacts& facts);

struct ThreadsVerdict {
  // A thread that nothing confines was found.
  bool free = false;
  // Some thread could not be judged.
  bool unknown = false;
  // The kernel refused something for lack of permission.
  bool refused = false;
};

// Judges the threads beside the leader until one is proven free. Threads that end meanwhile are left out.
ThreadsVerdict JudgeThreads(Root& root, std::int32_t pid, const Reference& reference, LabelReader& labels);

}  // namespace desk
