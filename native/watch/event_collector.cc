#include "watch/event_collector.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "watch/clock.h"

namespace desk {
namespace {

// The kernel reports a socket before it is in its tables (inet_csk_listen_start() hashes after it has set the
// state) or out of them (the cgroup hooks of connect and release), and may be preempted in between.
constexpr std::uint32_t kSocketRereadMs[] = {10};
// So many batches of process events are read at once at most: a storm must not keep the consumer.
constexpr int kMostBatches = 64;
// Makers of listeners that are reported between two takes; more are found by a full search.
constexpr std::size_t kMostMakers = 32;
// An older event was stamped by another clock (a time namespace shifts CLOCK_MONOTONIC).
constexpr std::int64_t kOldestBelievedNs = 10'000'000'000;

std::int64_t Believable(std::int64_t stamped_ns, std::int64_t now_ns) {
  return stamped_ns <= now_ns && now_ns - stamped_ns < kOldestBelievedNs ? stamped_ns : now_ns;
}

// Neither running nor a zombie. The connector works in the initial pid namespace only, so the pid is ours
// too.
bool Ended(std::int32_t pid) { return ::getpgid(pid) < 0 && errno == ESRCH; }

}  // namespace

EventCollector::EventCollector(const WatchOptions& options)
    : processes_(options.reread_ms),
      rereads_of_sockets_(kSocketRereadMs),
      all_ns_(std::int64_t{options.all_ms} * 1'000'000),
      next_all_ns_(MonotonicNs()) {}

WatchStart EventCollector::Open(const WatchOptions& options) {
  WatchStart start;
  start.connector = connector_.Open(options.buffer_bytes);
  if (start.connector.empty()) {
    start.buffer_bytes = connector_.BufferBytes();
    process_fd_ = connector_.fd();
  }
  if (options.tracepoint) {
    bpf::SocketTrace::Status status = sockets_.Open();
    start.tracepoint = std::move(status.tcp);
    start.udp = std::move(status.udp);
    start.makers = std::move(status.makers);
    start.udp_exits = std::move(status.udp_exits);
  } else {
    start.tracepoint = start.udp = start.makers = start.udp_exits = {0, "not requested"};
  }
  return start;
}

EventCollector::Read EventCollector::ReadEvents() {
  const std::int64_t now_ns = MonotonicNs();
  if (socket_fd() >= 0) ReadSockets(now_ns);
  if (process_fd() < 0) return {};
  ReadProcesses(now_ns);
  return {.events = batch_.events.size(), .more = batch_.more};
}

void EventCollector::ReadProcesses(std::int64_t now_ns) {
  connector_.Receive(batch_);
  for (const ProcEvent& event : batch_.events) {
    pending_.Process(event, Believable(static_cast<std::int64_t>(event.timestamp_ns), now_ns));
    const bool leader = event.pid == event.tgid;
    const bool came_or_went = event.kind == ProcEventKind::kFork || event.kind == ProcEventKind::kExit;
    if ((leader && came_or_went) || event.kind == ProcEventKind::kExec) processes_.Add(event.tgid, now_ns);
  }
  if (batch_.lost > 0 || batch_.overruns > 0) {
    pending_.Resync(batch_.lost, batch_.overruns, now_ns);
    // A fork may have been lost.
    processes_.Add(RereadSchedule::kEverything, now_ns);
  }
  if (batch_.broken != 0) {
    pending_.Broken(now_ns);
    process_fd_ = -1;
  }
}

void EventCollector::ReadSockets(std::int64_t now_ns) {
  sockets_.Drain([&](bpf::SocketChange change, std::int32_t pid, std::int64_t stamped_ns) {
    pending_.SocketEvent();
    // Nothing has changed yet, and no listener is new.
    if (change == bpf::SocketChange::kUdpConnect)
      return rereads_of_sockets_.Add(RereadSchedule::kListeners, now_ns);
    const std::int64_t time_ns = Believable(stamped_ns, now_ns);
    if (change == bpf::SocketChange::kHttps) {
      pending_.Connections(time_ns);
      return rereads_of_sockets_.Add(RereadSchedule::kConnections, now_ns);
    }
    pending_.Listeners(time_ns);
    rereads_of_sockets_.Add(RereadSchedule::kListeners, now_ns);
    // Holders of a new listener are searched for there first.
    if (pid > 0 && makers_ < kMostMakers) {
      ++makers_;
      pending_.Pid(pid, PendingPids::Sign::kTouched, time_ns);
    }
  });
}

std::vector<DueSubject> EventCollector::TakeDue(std::int64_t now_ns) {
  std::vector<DueSubject> due;
  const auto add = [&](std::int32_t subject, std::int64_t due_ns) { due.push_back({subject, due_ns}); };
  processes_.TakeDue(now_ns, add);
  rereads_of_sockets_.TakeDue(now_ns, add);
  return due;
}

void EventCollector::Report(const DueSubject& due) {
  switch (due.subject) {
    case RereadSchedule::kEverything: return pending_.All(due.due_ns);
    case RereadSchedule::kListeners: return pending_.Listeners(due.due_ns);
    case RereadSchedule::kConnections: return pending_.Connections(due.due_ns);
    default: return pending_.Pid(due.subject, PendingPids::Sign::kTouched, due.due_ns);
  }
}

void EventCollector::Pass(std::int64_t now_ns, bool needed) {
  if (needed) pending_.All(next_all_ns_);
  next_all_ns_ = now_ns + all_ns_;
}

std::int64_t EventCollector::NextDueNs() const {
  return std::min({next_all_ns_, processes_.NextDueNs(), rereads_of_sockets_.NextDueNs()});
}

bool EventCollector::Take(std::span<std::int32_t> pids, WatchDelta& delta) {
  for (int batches = 0; batches < kMostBatches && ReadEvents().more; ++batches) {
  }
  for (const DueSubject& due : TakeDue(MonotonicNs())) Report(due);
  if (!pending_.Take(pids, delta)) return false;
  makers_ = 0;
  MarkEnded(pids.first(delta.count));
  return true;
}

// The consumer will find that some are gone: they are not due again, and a new process with the same number
// has a birth of its own. One that has exited and is still there is to be read.
void EventCollector::MarkEnded(std::span<std::int32_t> taken) {
  ended_.clear();
  for (std::int32_t& entry : taken) {
    const std::int32_t pid = std::abs(entry);
    if (Ended(pid))
      ended_.push_back(pid);
    else
      entry = pid;
  }
  std::ranges::sort(ended_);
  processes_.Forget(ended_);
}

}  // namespace desk
