#include "watch/ticker.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "core/signals_blocked.h"
#include "watch/clock.h"

namespace desk {

Ticker::Ticker(std::int64_t period_ns, std::function<void()> ring)
    : period_ns_(period_ns), ring_(std::move(ring)), stop_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

Result<std::unique_ptr<Ticker>> Ticker::Start(std::int64_t period_ns, std::function<void()> ring) {
  std::unique_ptr<Ticker> ticker(new Ticker(period_ns, std::move(ring)));
  if (!ticker->stop_.valid()) return Errno{errno};
  try {
    const SignalsBlocked blocked;
    ticker->thread_ = std::thread([raw = ticker.get()] { raw->Run(); });
  } catch (const std::system_error& refused) {
    return Errno{refused.code().value()};
  }
  return ticker;
}

Ticker::~Ticker() {
  if (!thread_.joinable()) return;
  const std::uint64_t one = 1;
  while (::write(stop_.get(), &one, sizeof(one)) < 0 && errno == EINTR) {
  }
  thread_.join();
}

void Ticker::Run() {
  ::pthread_setname_np(::pthread_self(), "desk-ticker");
  std::int64_t due_ns = MonotonicNs();
  for (;;) {
    const std::int64_t now_ns = MonotonicNs();
    // Periods that have passed meanwhile are not made up for.
    due_ns += ((now_ns - due_ns) / period_ns_ + 1) * period_ns_;
    const std::int64_t left_ns = due_ns - now_ns;
    const timespec left{.tv_sec = left_ns / 1'000'000'000, .tv_nsec = left_ns % 1'000'000'000};
    pollfd stop{.fd = stop_.get(), .events = POLLIN, .revents = 0};
    if (::ppoll(&stop, 1, &left, nullptr) > 0) return;
    if (!rung_.exchange(true)) ring_();
  }
}

}  // namespace desk
