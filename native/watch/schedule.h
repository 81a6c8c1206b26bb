// When to read a process again without an event: confinement changes and reaping a zombie cause none. Pure
// over the time it is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace desk {

class RereadSchedule {
 public:
  // Subjects other than pids (which are positive).
  static constexpr std::int32_t kEverything = 0;
  static constexpr std::int32_t kListeners = -1;
  static constexpr std::int32_t kConnections = -2;

  static constexpr std::int64_t kNever = INT64_MAX;
  // Due times are rounded up to these slots, all on one grid: a storm of forks does not wake once per pid.
  static constexpr std::int64_t kSlotNs = 5'000'000;
  // Subjects that wait for one period. With more, everything is due instead, in coarser slots.
  static constexpr std::size_t kMaxWaiting = 4096;
  static constexpr std::int64_t kCrowdedSlotNs = 50'000'000;

  explicit RereadSchedule(std::span<const std::uint32_t> periods_ms);

  // `subject` is due again after each of the periods, counted from `now_ns`, which never goes back.
  void Add(std::int32_t subject, std::int64_t now_ns);

  // kNever when nothing waits.
  std::int64_t NextDueNs() const;

  // These pids, in ascending order, are due no more.
  void Forget(std::span<const std::int32_t> pids);

  // Takes out what is due, calling visit(subject, due time); a subject may come more than once.
  template <class Visit>
  void TakeDue(std::int64_t now_ns, Visit&& visit) {
    for (Period& period : periods_) {
      while (!period.waiting.empty() && period.waiting.front().due_ns <= now_ns) {
        visit(period.waiting.front().subject, period.waiting.front().due_ns);
        period.waiting.pop_front();
      }
    }
  }

 private:
  struct Waiting {
    std::int64_t due_ns;
    std::int32_t subject;
  };
  // The period is the same for all entries, so the queue is in the order of due times.
  struct Period {
    std::int64_t length_ns;
    std::deque<Waiting> waiting;
  };
  std::vector<Period> periods_;
};

}  // namespace desk
