#include "watch/pending.h"

#include <algorithm>

namespace desk {

void Pending::Due(std::int64_t time_ns) {
  due_ = true;
  std::int64_t& oldest = delta_.oldest_ns;
  if (oldest == 0 || time_ns < oldest) oldest = time_ns;
}

void Pending::Pid(std::int32_t pid, PendingPids::Sign sign, std::int64_t time_ns) {
  Due(time_ns);
  delta_.processes = true;
  // After a resync the pids are not read.
  if (!delta_.resync && !pids_.Mark(pid, sign)) delta_.resync = true;
}

void Pending::Process(const ProcEvent& event, std::int64_t time_ns) {
  EventCounts& counts = delta_.events;
  PendingPids::Sign sign = PendingPids::Sign::kTouched;
  const bool leader = event.pid == event.tgid;
  switch (event.kind) {
    case ProcEventKind::kAcknowledgement: return;
    case ProcEventKind::kFork:
      ++counts.fork;
      // A thread starts with the confinement of its creator, so its process is unchanged. The thread count is
      // updated when the process is read next.
      if (!leader) return;
      sign = PendingPids::Sign::kLives;
      break;
    case ProcEventKind::kExec:
      ++counts.exec;
      // A thread that executes another program takes over the pid of its leader, which exits: de_thread().
      sign = PendingPids::Sign::kLives;
      break;
    case ProcEventKind::kExit:
      ++counts.exit;
      // Its process may be confined more strictly without it: the next pass over everything shows that.
      if (!leader) return;
      sign = PendingPids::Sign::kExited;
      break;
    case ProcEventKind::kComm:
      ++counts.comm;
      // Nothing shows the names of threads, and most name themselves when they start.
      if (!leader) return;
      break;
    case ProcEventKind::kId: ++counts.id; break;
    case ProcEventKind::kPtrace: ++counts.ptrace; break;
    case ProcEventKind::kOther: ++counts.other; break;
  }
  if (event.tgid > 0) Pid(event.tgid, sign, time_ns);
}

void Pending::Listeners(std::int64_t time_ns) {
  Due(time_ns);
  delta_.listeners = true;
}

void Pending::Connections(std::int64_t time_ns) {
  Due(time_ns);
  delta_.connections = true;
}

void Pending::All(std::int64_t time_ns) {
  Due(time_ns);
  delta_.all = true;
}

void Pending::Resync(std::uint32_t lost, std::uint32_t overruns, std::int64_t time_ns) {
  Due(time_ns);
  delta_.resync = true;
  delta_.processes = true;
  delta_.lost += lost;
  delta_.overruns += overruns;
}

void Pending::Broken(std::int64_t time_ns) {
  Resync(0, 0, time_ns);
  delta_.broken = true;
}

bool Pending::WakeDue() {
  if (!due_ || woken_) return false;
  woken_ = true;
  return true;
}

bool Pending::Take(std::span<std::int32_t> pids, WatchDelta& delta) {
  if (!due_) return false;
  const std::span<const std::int32_t> entries = pids_.entries();
  if (entries.size() > pids.size()) delta_.resync = true;
  if (!delta_.resync) {
    std::ranges::copy(entries, pids.begin());
    delta_.count = static_cast<std::uint32_t>(entries.size());
  }
  delta = delta_;
  pids_.Clear();
  delta_ = {};
  due_ = false;
  woken_ = false;
  return true;
}

}  // namespace desk
