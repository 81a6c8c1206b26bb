#include "watch/ticker.h"

#include <poll.h>

#include <algorithm>
#include <utility>

#include "watch/clock.h"
#include "watch/thread.h"

namespace desk {

Ticker::Ticker(std::int64_t period_ns, std::function<void()> ring, std::function<bool()> holds)
    : period_ns_(period_ns), ring_(std::move(ring)), holds_(std::move(holds)) {}

Result<std::unique_ptr<Ticker>> Ticker::Start(std::int64_t period_ns, std::function<void()> ring,
                                              std::function<bool()> holds) {
  std::unique_ptr<Ticker> ticker(new Ticker(period_ns, std::move(ring), std::move(holds)));
  if (const int error = ticker->stop_.error()) return Errno{error};
  Result<std::thread> thread = StartThread("desk-ticker", [raw = ticker.get()] { raw->Run(); });
  if (!thread) return thread.refusal();
  ticker->thread_ = std::move(thread.value());
  return ticker;
}

Ticker::~Ticker() {
  if (!thread_.joinable()) return;
  stop_.Ring();
  thread_.join();
}

void Ticker::Run() {
  std::int64_t due_ns = MonotonicNs();
  std::int64_t rests_until_ns = due_ns;
  for (;;) {
    const std::int64_t now_ns = MonotonicNs();
    // Periods that have passed meanwhile are not made up for.
    due_ns += ((std::max(now_ns, rests_until_ns) - due_ns) / period_ns_ + 1) * period_ns_;
    const timespec left = TimespecOf(due_ns - now_ns);
    pollfd stop{.fd = stop_.fd(), .events = POLLIN, .revents = 0};
    if (::ppoll(&stop, 1, &left, nullptr) > 0) return;
    const std::int64_t started_ns = MonotonicNs();
    if (rung_ || (holds_ && holds_())) {
      const std::int64_t ended_ns = MonotonicNs();
      rests_until_ns = ended_ns + (ended_ns - started_ns);
      continue;
    }
    rung_ = true;
    ring_();
  }
}

}  // namespace desk
