// A thread that rings at every multiple of a period, unless a look finds that it need not: timers of the
// event loop have whole milliseconds, and add what the work before took.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

#include "core/result.h"
#include "watch/bell.h"

namespace desk {

class Ticker {
 public:
  // `ring` is called in a thread of its own, and again only after Take; where there is `holds`, only when
  // that says false. Periods are left out so that `holds` takes at most half of the time. A refusal without
  // descriptors or threads.
  static Result<std::unique_ptr<Ticker>> Start(std::int64_t period_ns, std::function<void()> ring,
                                               std::function<bool()> holds = {});
  // Ends the thread and waits for it.
  ~Ticker();
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

  // The last ring was heard. From any thread.
  void Take() { rung_ = false; }

 private:
  Ticker(std::int64_t period_ns, std::function<void()> ring, std::function<bool()> holds);
  void Run();

  const std::int64_t period_ns_;
  const std::function<void()> ring_;
  const std::function<bool()> holds_;
  Bell stop_;
  std::atomic<bool> rung_ = false;
  std::thread thread_;
};

}  // namespace desk
