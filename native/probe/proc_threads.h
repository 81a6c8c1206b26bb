// /proc/PID/task, one folder per thread (proc_pid_task(5)): the weakest thread decides for the process.
#pragma once

#include <cstdint>

#include "core/path.h"
#include "core/root.h"
#include "core/wrap.h"
#include "probe/proc_attr.h"
#include "probe/proc_status.h"

namespace desk {

inline ThreadFacts::FromStatus FactsOf(const Status& status) {
  return {.seccomp = status.seccomp,
          .no_new_privs = status.no_new_privs,
          .cap_eff = status.cap_eff,
          .cap_bnd = status.cap_bnd,
          .pid_levels = status.pid_levels};
}

// The result of reading the links and the label of a process or thread, as FACT_* bits.
struct LinkOutcome {
  std::uint16_t seen = 0;
  std::uint16_t refused = 0;
  // The first failure behind `refused`; 0 when there was none.
  int error = 0;
  // Some file showed that the process or thread has ended.
  bool gone = false;
};

// Reads the four namespace links and the label below `path` into `facts`.
LinkOutcome ReadLinks(Root& root, ProcPath& path, LabelReader& labels, ThreadFacts& facts);

// Whether a process or thread, whose files are below `path`, is alive and not a zombie. An unreadable one
// counts as alive.
bool Lives(int root, ProcPath& path, std::int32_t id);

// Attempts to read a process whose threads keep ending, before it counts as unreadable.
inline constexpr int kMostAttempts = 4;

// A living thread of a process whose leader has exited; tid 0 = none.
struct LivingThread {
  std::int32_t tid = 0;
  char state = 0;
};

// Finds a living thread of a process whose leader is a zombie: the leader's own files are empty (no
// executable, no descriptors, no mount and net namespace). A refusal when the result is uncertain: a thread
// is unreadable, or threads changed during the walk (EAGAIN).
Result<LivingThread> FindLivingThread(int root, std::int32_t pid);

struct ThreadsVerdict {
  // A thread that nothing confines was found.
  bool free = false;
  // Some thread could not be judged.
  bool unknown = false;
  // The first error of reading an existing thread; 0 when there was none.
  int error = 0;
};

// Judges the threads other than the leader and `judged` (the leader, or the thread that was read in place of
// a dead one) until one is proven free. Threads that end meanwhile are skipped.
ThreadsVerdict JudgeThreads(Root& root, std::int32_t pid, std::int32_t judged, const Reference& reference,
                            LabelReader& labels);

}  // namespace desk
