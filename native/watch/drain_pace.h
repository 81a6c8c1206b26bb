// How often the connector is emptied while the consumer pauses, so that its buffer does not overflow. Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace desk {

class DrainPace {
 public:
  static constexpr std::int64_t kLeastNs = 1'000'000;
  static constexpr std::int64_t kMostNs = 100'000'000;
  // The first period suits 100,000 events a second.
  static constexpr std::int64_t kEventNs = 10'000;

  // `room`: events that the buffer holds.
  explicit DrainPace(std::size_t room)
      : room_(room),
        usual_ns_(std::clamp(static_cast<std::int64_t>(room) * kEventNs, kLeastNs, kMostNs)),
        period_ns_(usual_ns_) {}

  std::int64_t period_ns() const { return period_ns_; }

  // This many events had arrived in one period: above an eighth of the room the next one is half as long. The
  // rest of the room is for the time that the thread waits for a processor.
  void Drained(std::size_t events) {
    if (events > room_ / 8)
      period_ns_ = std::max(period_ns_ / 2, kLeastNs);
    else if (events < room_ / 32)
      period_ns_ = std::min(period_ns_ * 2, usual_ns_);
  }

 private:
  std::size_t room_;
  std::int64_t usual_ns_;
  std::int64_t period_ns_;
};

}  // namespace desk
