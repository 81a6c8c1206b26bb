#include "watch/watch.h"

#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "core/signals_blocked.h"
#include "watch/clock.h"

namespace desk {
namespace {

// The kernel reports a socket before it is in its tables (inet_csk_listen_start() hashes after it has set the
// state) or out of them (the cgroup hooks of connect and release), and may be preempted in between.
constexpr std::uint32_t kSocketRereadMs[] = {10};
// Socket changes are reported at most this often.
constexpr std::int64_t kSocketSpacingNs = 2'000'000;
// In an event storm, the events of this period are read together: a wake-up costs more than an event. The
// buffers hold far more.
constexpr std::int64_t kStormNs = 1'000'000;
constexpr int kMostBatches = 64;
// Makers of listeners that are reported between two takes; more are found by a full search.
constexpr std::size_t kMostMakers = 32;
// An older event was stamped by another clock (a time namespace shifts CLOCK_MONOTONIC).
constexpr std::int64_t kOldestBelievedNs = 10'000'000'000;

std::int64_t Believable(std::int64_t stamped_ns, std::int64_t now_ns) {
  return stamped_ns <= now_ns && now_ns - stamped_ns < kOldestBelievedNs ? stamped_ns : now_ns;
}

timespec TimespecOf(std::int64_t ns) { return {.tv_sec = ns / 1'000'000'000, .tv_nsec = ns % 1'000'000'000}; }

}  // namespace

Watch::Watch(const WatchOptions& options, std::function<void()> wake)
    : options_(options),
      wake_(std::move(wake)),
      processes_(options.reread_ms),
      rereads_of_sockets_(kSocketRereadMs) {}

Watch::~Watch() {
  const std::uint64_t one = 1;
  // An eventfd accepts this unless its counter is full.
  while (::write(stop_.get(), &one, sizeof(one)) < 0 && errno == EINTR) {
  }
  if (thread_.joinable()) thread_.join();
}

double Watch::CpuUs() {
  clockid_t clock = 0;
  timespec used{};
  if (::pthread_getcpuclockid(thread_.native_handle(), &clock) != 0 || ::clock_gettime(clock, &used) != 0)
    return 0;
  return static_cast<double>(used.tv_sec) * 1e6 + static_cast<double>(used.tv_nsec) / 1e3;
}

Result<std::unique_ptr<Watch>> Watch::Start(const WatchOptions& options, std::function<void()> wake,
                                            WatchStart& start) {
  std::unique_ptr<Watch> watch(new Watch(options, std::move(wake)));
  if (const int error = watch->Prepare(start); error != 0) return Errno{error};
  try {
    const SignalsBlocked blocked;
    watch->thread_ = std::thread([raw = watch.get()] { raw->Run(); });
  } catch (const std::system_error& refused) {
    return Errno{refused.code().value()};
  }
  return watch;
}

int Watch::Listen(int fd) {
  epoll_event event{.events = EPOLLIN, .data = {.fd = fd}};
  return ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : errno;
}

int Watch::Prepare(WatchStart& start) {
  epoll_ = Fd(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_.valid()) return errno;
  timer_ = Fd(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  if (!timer_.valid()) return errno;
  stop_ = Fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!stop_.valid()) return errno;
  for (const int fd : {timer_.get(), stop_.get()})
    if (const int error = Listen(fd); error != 0) return error;

  start.connector = connector_.Open(options_.buffer_bytes);
  if (start.connector.empty()) {
    start.buffer_bytes = connector_.BufferBytes();
    if (const int error = Listen(connector_.fd()); error != 0) return error;
  }
  if (options_.tracepoint) {
    bpf::SocketTrace::Status status = sockets_.Open();
    start.tracepoint = std::move(status.tcp);
    start.udp = std::move(status.udp);
    start.makers = std::move(status.makers);
    start.udp_exits = std::move(status.udp_exits);
  } else {
    start.tracepoint = start.udp = start.makers = start.udp_exits = {0, "not requested"};
  }
  if (sockets_.fd() >= 0) {
    if (const int error = Listen(sockets_.fd()); error != 0) return error;
  }
  const bool poll_tcp = !start.tracepoint.empty();
  const bool poll_udp = !start.udp.empty();
  if (poll_tcp || poll_udp) poll_ = std::make_unique<ListenerPoll>(poll_tcp, poll_udp);
  return 0;
}

void Watch::Run() {
  ::pthread_setname_np(::pthread_self(), "desk-watch");
  next_all_ns_ = MonotonicNs();
  if (poll_) next_poll_ns_ = next_all_ns_;
  for (;;) {
    TakeDue();
    ArmTimer();
    Await();
    if (stopping_) return;
    if (sockets_wait_) TakeSockets();
    if (processes_wait_) TakeProcesses();
  }
}

void Watch::Await() {
  std::array<epoll_event, 4> events{};
  const int got = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), -1);
  for (int at = 0; at < got; ++at) {
    const int fd = events[static_cast<std::size_t>(at)].data.fd;
    if (fd == stop_.get()) stopping_ = true;
    if (fd == connector_.fd()) processes_wait_ = true;
    if (fd == sockets_.fd()) sockets_wait_ = true;
    if (fd == timer_.get()) {
      std::uint64_t expirations = 0;
      // Only clears the readable state; the schedule knows what is due.
      if (::read(timer_.get(), &expirations, sizeof(expirations)) > 0) armed_ns_ = RereadSchedule::kNever;
    }
  }
}

template <class Work>
void Watch::Report(Work&& work) {
  bool wake = false;
  {
    Pending::Batch batch(pending_);
    work(batch);
    wake = batch.WakeDue();
  }
  if (wake) wake_();
}

void Watch::CollectStorm(std::int64_t& last_ns) {
  if (MonotonicNs() - last_ns < kStormNs) {
    pollfd stop{.fd = stop_.get(), .events = POLLIN, .revents = 0};
    const timespec moment = TimespecOf(kStormNs);
    ::ppoll(&stop, 1, &moment, nullptr);
  }
  last_ns = MonotonicNs();
}

void Watch::TakeProcesses() {
  processes_wait_ = false;
  CollectStorm(last_processes_ns_);
  // Bounded, so that timers and the stop are handled; epoll reports the rest again.
  for (int batches = 0; batches < kMostBatches; ++batches) {
    connector_.Receive(batch_);
    if (batch_.broken != 0) ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, connector_.fd(), nullptr);
    ReportBatch(MonotonicNs());
    if (!batch_.more) return;
  }
}

void Watch::ReportBatch(std::int64_t now_ns) {
  const bool lost = batch_.lost > 0 || batch_.overruns > 0;
  Report([&](Pending::Batch& pending) {
    for (const ProcEvent& event : batch_.events)
      pending.Process(event, Believable(static_cast<std::int64_t>(event.timestamp_ns), now_ns));
    if (lost) pending.Resync(batch_.lost, batch_.overruns, now_ns);
    if (batch_.broken != 0) pending.Broken(now_ns);
  });
  for (const ProcEvent& event : batch_.events) {
    const bool born = event.kind == ProcEventKind::kFork && event.pid == event.tgid;
    const bool again = born || event.kind == ProcEventKind::kExec || event.kind == ProcEventKind::kExit;
    if (again) processes_.Add(event.tgid, now_ns);
  }
  // A fork may have been lost.
  if (lost) processes_.Add(RereadSchedule::kEverything, now_ns);
}

void Watch::ReportSubject(Pending::Batch& batch, std::int32_t subject, std::int64_t time_ns) {
  if (subject == RereadSchedule::kListeners) {
    batch.Listeners(time_ns);
    for (const std::int32_t pid : makers_) batch.Pid(pid, PidSet::Sign::kTouched, time_ns);
    makers_.clear();
  } else {
    batch.Connections(time_ns);
  }
}

void Watch::Change(Pending::Batch& batch, std::int32_t subject, std::int64_t time_ns, std::int64_t now_ns) {
  Spaced& spaced = SpacedOf(subject);
  if (spaced.again_ns == RereadSchedule::kNever) {
    ReportSubject(batch, subject, time_ns);
    spaced.again_ns = now_ns + kSocketSpacingNs;
  } else {
    spaced.more = true;
  }
  rereads_of_sockets_.Add(subject, now_ns);
}

void Watch::TakeSockets() {
  sockets_wait_ = false;
  CollectStorm(last_sockets_ns_);
  Report([&](Pending::Batch& pending) {
    const std::int64_t now_ns = MonotonicNs();
    sockets_.Drain([&](bpf::SocketChange change, std::int32_t pid, std::int64_t stamped_ns) {
      pending.SocketEvent();
      // Nothing has changed yet, and no listener is new.
      if (change == bpf::SocketChange::kUdpConnect)
        return rereads_of_sockets_.Add(RereadSchedule::kListeners, now_ns);
      const bool https = change == bpf::SocketChange::kHttps;
      // Holders of a new listener are searched for there first.
      if (!https && pid > 0 && makers_.size() < kMostMakers) makers_.push_back(pid);
      Change(pending, https ? RereadSchedule::kConnections : RereadSchedule::kListeners,
             Believable(stamped_ns, now_ns), now_ns);
    });
  });
}

void Watch::PollListeners(std::int64_t now_ns) {
  const ListenerPoll::Change change = poll_->Poll(now_ns);
  Report([&](Pending::Batch& pending) {
    pending.Poll(change.refusals);
    // A read after the dump may differ too: that causes one needless report.
    const std::optional<std::uint64_t> seen = change.sum ? pending.Seen() : std::nullopt;
    if (change.changed || (seen && seen != change.sum)) pending.Listeners(now_ns);
  });
}

std::int64_t Watch::NextReportNs() const {
  std::int64_t next_ns = std::min({next_all_ns_, processes_.NextDueNs(), rereads_of_sockets_.NextDueNs()});
  for (const Spaced& spaced : spaced_) next_ns = std::min(next_ns, spaced.again_ns);
  return next_ns;
}

void Watch::TakeDue() {
  const std::int64_t now_ns = MonotonicNs();
  if (next_poll_ns_ <= now_ns) {
    const std::int64_t period_ns = std::int64_t{options_.listen_poll_ms} * 1'000'000;
    next_poll_ns_ += period_ns;
    // Missed polls are skipped.
    if (next_poll_ns_ <= now_ns) next_poll_ns_ = now_ns + period_ns;
    PollListeners(now_ns);
  }

  if (NextReportNs() <= now_ns) Report([&](Pending::Batch& pending) { ReportDue(pending, now_ns); });
}

void Watch::ReportDue(Pending::Batch& pending, std::int64_t now_ns) {
  processes_.TakeDue(
      now_ns,
      [&](std::int32_t subject) {
        if (subject == RereadSchedule::kEverything)
          pending.All(now_ns);
        else
          pending.Pid(subject, PidSet::Sign::kTouched, now_ns);
      });
  rereads_of_sockets_.TakeDue(now_ns, [&](std::int32_t subject) { ReportSubject(pending, subject, now_ns); });
  for (const std::int32_t subject : {RereadSchedule::kListeners, RereadSchedule::kConnections}) {
    Spaced& spaced = SpacedOf(subject);
    if (spaced.again_ns > now_ns) continue;
    if (spaced.more) ReportSubject(pending, subject, now_ns);
    spaced = {.again_ns = spaced.more ? now_ns + kSocketSpacingNs : RereadSchedule::kNever, .more = false};
  }
  if (next_all_ns_ <= now_ns) {
    next_all_ns_ = now_ns + std::int64_t{options_.all_ms} * 1'000'000;
    pending.All(now_ns);
  }
}

void Watch::ArmTimer() {
  const std::int64_t next_ns = std::min(NextReportNs(), next_poll_ns_);
  if (next_ns == armed_ns_) return;
  armed_ns_ = next_ns;
  const itimerspec at{.it_interval = {}, .it_value = TimespecOf(next_ns)};
  ::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &at, nullptr);
}

}  // namespace desk
