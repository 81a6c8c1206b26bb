#include "watch/watch.h"

#include <poll.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/sorted.h"
#include "watch/clock.h"
#include "watch/thread.h"

namespace desk {
namespace {

// Events that give the consumer nothing to do (births of threads) are read at most this often.
constexpr std::int64_t kIdleReadNs = 1'000'000;

}  // namespace

Watch::Watch(const WatchOptions& options, std::function<void()> wake, std::shared_ptr<Look> look)
    : wake_(std::move(wake)),
      poll_period_ns_(std::int64_t{options.listen_poll_ms} * 1'000'000),
      look_(std::move(look)),
      collector_(options) {}

Watch::~Watch() {
  stopping_ = true;
  bell_.Ring();
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
                                            WatchStart& start, std::shared_ptr<Look> look) {
  std::unique_ptr<Watch> watch(new Watch(options, std::move(wake), std::move(look)));
  if (const int error = watch->bell_.error()) return Errno{error};
  start = watch->collector_.Open(options);
  // Without process events the consumer polls.
  if (!start.connector.empty()) watch->look_.reset();
  watch->pace_.emplace(watch->collector_.Room());
  const bool poll_tcp = !start.tracepoint.empty();
  const bool poll_udp = !start.udp.empty();
  if (poll_tcp || poll_udp) {
    watch->poll_ = std::make_unique<ListenerPoll>(poll_tcp, poll_udp);
    watch->next_poll_ns_ = MonotonicNs();
  }
  Result<std::thread> thread = StartThread("desk-watch", [raw = watch.get()] { raw->Run(); });
  if (!thread) return thread.refusal();
  watch->thread_ = std::move(thread.value());
  return watch;
}

bool Watch::Take(std::span<std::int32_t> pids, WatchDelta& delta) {
  bool ring = false;
  bool taken = false;
  {
    const std::lock_guard guard(mutex_);
    const bool waits = collector_.pending().woken();
    const std::int64_t now_ns = MonotonicNs();
    // While the consumer is woken the thread makes no look: the take passes over everything.
    if ((!look_ || !taken_ || waits) && collector_.PassDue(now_ns)) collector_.Pass(now_ns, true);
    taken = collector_.Take(pids, delta);
    taken_ = true;
    // Events that were read here may be due before the thread would wake.
    ring = waits || collector_.NextDueNs() < waits_until_ns_;
  }
  if (ring) bell_.Ring();
  return taken;
}

void Watch::Saw(const ListenerView& view, std::uint32_t rows) {
  if (!poll_) return;
  const std::uint64_t sum = poll_->listeners().Of(view, rows);
  const std::lock_guard guard(mutex_);
  seen_ = sum;
}

void Watch::Run() {
  for (;;) {
    Pass();
    Reread();
    const Step step = NextStep();
    if (step.wake) wake_();
    const bool arrived = Wait(step);
    if (stopping_) return;
    const std::int64_t now_ns = MonotonicNs();
    if (arrived)
      ReadEvents();
    else if (now_ns >= step.read_ns)
      pace_->Drained(ReadEvents());
    if (now_ns >= step.poll_ns) PollListeners(now_ns);
  }
}

void Watch::Pass() {
  const auto is_due = [this] { return !collector_.pending().woken() && collector_.PassDue(MonotonicNs()); };
  {
    const std::lock_guard guard(mutex_);
    if (!is_due()) return;
  }
  // Takes as long as a sweep: a take does not wait for it.
  const bool holds = look_ && look_->Compare(bpf::Scheduling::kCompared) == Look::Found::kSame;
  const std::lock_guard guard(mutex_);
  if (is_due()) collector_.Pass(MonotonicNs(), !holds);
}

void Watch::Reread() {
  std::vector<DueSubject> due;
  {
    const std::lock_guard guard(mutex_);
    // Otherwise the take does.
    if (collector_.pending().woken()) return;
    due = collector_.TakeDue(MonotonicNs());
  }
  if (look_) DropUnchanged(due);
  if (due.empty()) return;
  const std::lock_guard guard(mutex_);
  for (const DueSubject& one : due) collector_.Report(one);
}

// A take does not wait for this.
void Watch::DropUnchanged(std::vector<DueSubject>& due) {
  std::vector<std::int32_t> pids;
  for (const DueSubject& one : due)
    if (one.subject > 0) pids.push_back(one.subject);
  SortDistinct(pids);
  if (!pids.empty()) pids = look_->Changed(pids);
  const bool listeners = std::ranges::any_of(
      due, [](const DueSubject& one) { return one.subject == RereadSchedule::kListeners; });
  const bool same = listeners && look_->ListenersHold();
  std::erase_if(due, [&](const DueSubject& one) {
    if (one.subject == RereadSchedule::kListeners) return same;
    return one.subject > 0 && !std::ranges::binary_search(pids, one.subject);
  });
}

Watch::Step Watch::NextStep() {
  const std::int64_t now_ns = MonotonicNs();
  const std::lock_guard guard(mutex_);
  Pending& pending = collector_.pending();
  Step step{.wake = pending.WakeDue()};
  // While the listeners are pending, a poll finds nothing new.
  if (!pending.listeners()) step.poll_ns = next_poll_ns_;
  if (pending.woken()) {
    if (collector_.process_fd() >= 0) step.read_ns = read_ns_ + pace_->period_ns();
    step.until_ns = step.read_ns;
  } else {
    step.until_ns = collector_.NextDueNs();
    const std::int64_t listens_ns = idle_read_ ? read_ns_ + kIdleReadNs : now_ns;
    if (listens_ns <= now_ns) {
      step.process_fd = collector_.process_fd();
      step.socket_fd = collector_.socket_fd();
    } else {
      step.until_ns = std::min(step.until_ns, listens_ns);
    }
  }
  step.until_ns = std::min(step.until_ns, step.poll_ns);
  waits_until_ns_ = step.until_ns;
  return step;
}

bool Watch::Wait(const Step& step) {
  // poll(2) ignores negative descriptors.
  std::array<pollfd, 3> fds{{{.fd = bell_.fd(), .events = POLLIN, .revents = 0},
                             {.fd = step.process_fd, .events = POLLIN, .revents = 0},
                             {.fd = step.socket_fd, .events = POLLIN, .revents = 0}}};
  const bool timed = step.until_ns != RereadSchedule::kNever;
  const timespec left = TimespecOf(timed ? std::max<std::int64_t>(step.until_ns - MonotonicNs(), 0) : 0);
  if (::ppoll(fds.data(), fds.size(), timed ? &left : nullptr, nullptr) <= 0) return false;
  if (fds[0].revents != 0) bell_.Silence();
  return fds[1].revents != 0 || fds[2].revents != 0;
}

std::size_t Watch::ReadEvents() {
  std::size_t events = 0;
  EventCollector::Read read{.events = 0, .more = true};
  while (read.more && !stopping_) {
    bool wake = false;
    {
      const std::lock_guard guard(mutex_);
      read = collector_.ReadEvents();
      wake = collector_.pending().WakeDue();
      idle_read_ = !collector_.pending().woken();
    }
    if (wake) wake_();
    events += read.events;
  }
  read_ns_ = MonotonicNs();
  return events;
}

void Watch::PollListeners(std::int64_t now_ns) {
  next_poll_ns_ += poll_period_ns_;
  // Missed polls are skipped.
  if (next_poll_ns_ <= now_ns) next_poll_ns_ = now_ns + poll_period_ns_;
  const ListenerPoll::Change change = poll_->Poll(now_ns);
  const std::lock_guard guard(mutex_);
  collector_.pending().Poll(change.refusals);
  // A read after the dump may differ too: that causes one needless report.
  const std::optional<std::uint64_t> seen = change.sum ? std::exchange(seen_, std::nullopt) : std::nullopt;
  if (change.changed || (seen && seen != change.sum)) collector_.pending().Listeners(now_ns);
}

}  // namespace desk
