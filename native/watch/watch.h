// The thread that waits for the kernel's events and wakes a consumer: process events, socket events, and
// listeners by polling where socket events are not available. It sleeps while nothing happens, and while the
// consumer has been woken but has not taken: the kernel keeps what happens until then.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "core/result.h"
#include "watch/bell.h"
#include "watch/drain_pace.h"
#include "watch/event_collector.h"
#include "watch/listener_poll.h"
#include "watch/look.h"

namespace desk {

class Watch {
 public:
  // `wake` is called on the watch's own thread, once between two takes that had something to take. The first
  // take says `all`. With a look and process events, the pass over everything and what is to be read again
  // are reported only where the look shows a difference. A refusal means that no descriptor or thread is
  // available.
  static Result<std::unique_ptr<Watch>> Start(const WatchOptions& options, std::function<void()> wake,
                                              WatchStart& start, std::shared_ptr<Look> look = {});
  // Stops the thread and waits for it; `wake` is not called any more.
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // See Pending::Take; includes every event before the call. From any thread.
  bool Take(std::span<std::int32_t> pids, WatchDelta& delta);

  // The consumer read these listeners: a later poll that finds others reports them, even if the poll itself
  // has seen no change. From any thread.
  void Saw(const ListenerView& view, std::uint32_t rows);

  // CPU that the thread has used, µs.
  double CpuUs();

 private:
  Watch(const WatchOptions& options, std::function<void()> wake, std::shared_ptr<Look> look);

  // What the thread waits for next.
  struct Step {
    bool wake = false;  // first wakes the consumer
    // Descriptors of events; -1 = not listened to.
    int process_fd = -1;
    int socket_fd = -1;
    std::int64_t read_ns = RereadSchedule::kNever;  // reads events then in any case
    std::int64_t poll_ns = RereadSchedule::kNever;
    std::int64_t until_ns = RereadSchedule::kNever;
  };
  void Run();
  // The pass over everything, where it is due.
  void Pass();
  // What is to be read again now.
  void Reread();
  // Leaves out what the consumer need not read again.
  void DropUnchanged(std::vector<DueSubject>& due);
  Step NextStep();
  // Whether an event arrived.
  bool Wait(const Step& step);
  // How many process events were waiting.
  std::size_t ReadEvents();
  void PollListeners(std::int64_t now_ns);

  const std::function<void()> wake_;
  const std::int64_t poll_period_ns_;

  // Null: none, or no process events.
  std::shared_ptr<Look> look_;

  // Ends a wait: rung by a take and by the stop.
  Bell bell_;
  std::unique_ptr<ListenerPoll> poll_;

  // Of the thread alone.
  std::optional<DrainPace> pace_;
  std::int64_t next_poll_ns_ = RereadSchedule::kNever;
  std::int64_t read_ns_ = 0;  // when it last read events
  bool idle_read_ = false;    // they gave the consumer nothing to do

  // Under the mutex.
  std::mutex mutex_;
  EventCollector collector_;
  std::int64_t waits_until_ns_ = RereadSchedule::kNever;
  std::optional<std::uint64_t> seen_;
  bool taken_ = false;  // at least once

  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace desk
