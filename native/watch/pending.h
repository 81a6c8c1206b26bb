// What has happened since the last take, and whether the consumer has been woken.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "watch/connector_decode.h"

namespace desk {

class PendingPids {
 public:
  static constexpr std::size_t kCapacity = 4096;

  enum class Sign : std::uint8_t {
    kTouched,  // something about it changed
    kLives,    // it was forked, or executed another program
    kExited,   // its leader has exited; other threads may live on
  };

  // False when the set is full; the pid is not added then. `pid` is positive.
  bool Mark(std::int32_t pid, Sign sign) {
    std::size_t slot = (static_cast<std::uint32_t>(pid) * 2654435761u) >> (32 - kSlotBits);
    while (slots_[slot] != 0 && Magnitude(entries_[slots_[slot] - 1u]) != pid) slot = (slot + 1) % kSlots;
    if (slots_[slot] == 0) {
      if (size_ == kCapacity) return false;
      entries_[size_] = pid;
      slot_of_[size_] = static_cast<std::uint16_t>(slot);
      slots_[slot] = static_cast<std::uint16_t>(++size_);
    }
    std::int32_t& entry = entries_[slots_[slot] - 1u];
    if (sign == Sign::kLives) entry = pid;
    if (sign == Sign::kExited) entry = -pid;
    return true;
  }

  std::size_t size() const { return size_; }
  // In the order of their first event; negative = exited.
  std::span<const std::int32_t> entries() const { return std::span(entries_).first(size_); }

  void Clear() {
    for (std::size_t at = 0; at < size_; ++at) slots_[slot_of_[at]] = 0;
    size_ = 0;
  }

 private:
  // Twice the capacity, which keeps probe sequences short.
  static constexpr unsigned kSlotBits = 13;
  static constexpr std::size_t kSlots = std::size_t{1} << kSlotBits;
  static_assert(kSlots == 2 * kCapacity);

  static std::int32_t Magnitude(std::int32_t entry) { return entry < 0 ? -entry : entry; }

  std::array<std::uint16_t, kSlots> slots_{};  // 1 + index of the entry, 0 = free
  std::array<std::int32_t, kCapacity> entries_{};
  std::array<std::uint16_t, kCapacity> slot_of_{};
  std::size_t size_ = 0;
};

struct EventCounts {
  std::uint32_t fork = 0;
  std::uint32_t exec = 0;
  std::uint32_t exit = 0;
  std::uint32_t comm = 0;
  std::uint32_t id = 0;
  std::uint32_t ptrace = 0;
  std::uint32_t other = 0;
};

struct WatchDelta {
  std::uint32_t count = 0;  // pids written
  bool processes = false;   // some process changed: the pids written, or any when `resync` or `all`
  bool listeners = false;
  bool connections = false;
  bool resync = false;  // events were lost, or there were too many pids: anything may have changed
  bool all = false;     // the pass over everything is due
  bool broken = false;  // the connector has failed: no more process events
  EventCounts events;
  std::uint32_t socket_events = 0;
  std::uint32_t lost = 0;
  std::uint32_t overruns = 0;
  std::uint32_t polls = 0;
  std::uint32_t poll_refusals = 0;
  // Time of the oldest event or due time here, on CLOCK_MONOTONIC; 0 = none.
  std::int64_t oldest_ns = 0;
};

// Not thread-safe.
class Pending {
 public:
  void Process(const ProcEvent& event, std::int64_t time_ns);
  void Pid(std::int32_t pid, PendingPids::Sign sign, std::int64_t time_ns);
  void Listeners(std::int64_t time_ns);
  void Connections(std::int64_t time_ns);
  void All(std::int64_t time_ns);
  // Events were lost at about `time_ns`.
  void Resync(std::uint32_t lost, std::uint32_t overruns, std::int64_t time_ns);
  void Broken(std::int64_t time_ns);
  // Only counted, does not wake the consumer.
  void SocketEvent() { ++delta_.socket_events; }
  void Poll(std::uint32_t refusals) {
    ++delta_.polls;
    delta_.poll_refusals += refusals;
  }

  bool listeners() const { return delta_.listeners; }
  // The consumer was woken and has not taken yet.
  bool woken() const { return woken_; }
  // True once between two takes, when there is something to take.
  bool WakeDue();

  // Takes everything pending. Pids go to `pids` (negative = exited); when they do not fit none is written and
  // `resync` is set. False, leaving `delta` alone, when nothing has happened.
  bool Take(std::span<std::int32_t> pids, WatchDelta& delta);

 private:
  void Due(std::int64_t time_ns);

  PendingPids pids_;
  WatchDelta delta_;
  bool due_ = false;
  bool woken_ = false;
};

}  // namespace desk
