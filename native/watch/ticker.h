// A thread that rings at every multiple of a period: timers of the event loop have whole milliseconds, and
// add what the work before took.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

#include "core/fd.h"
#include "core/result.h"

namespace desk {

class Ticker {
 public:
  // `ring` is called in a thread of its own, and again only after Take. A refusal without descriptors or
  // threads.
  static Result<std::unique_ptr<Ticker>> Start(std::int64_t period_ns, std::function<void()> ring);
  // Ends the thread and waits for it.
  ~Ticker();
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

  // The last ring was heard. From any thread.
  void Take() { rung_ = false; }

 private:
  Ticker(std::int64_t period_ns, std::function<void()> ring);
  void Run();

  const std::int64_t period_ns_;
  const std::function<void()> ring_;
  Fd stop_;
  std::atomic<bool> rung_ = false;
  std::thread thread_;
};

}  // namespace desk
