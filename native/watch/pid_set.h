// A bounded set of pids; for each, whether the last event was its exit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace desk {

class PidSet {
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

}  // namespace desk
