// The pids of one sweep, asked without a branch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace desk::kernel {

// A bit per pid up to the highest one. Pids beyond PID_MAX_LIMIT (linux/threads.h: 2^22) exist in no kernel;
// columns made by somebody else may hold them, so the table stops at kMostPids and looks for others one by
// one.
class PidTable {
 public:
  static constexpr std::uint32_t kMostPids = 1u << 26;

  // Replaces what was there.
  void Fill(std::span<const std::int32_t> pids) {
    others_.clear();
    std::uint32_t highest = 0;
    for (const std::int32_t pid : pids) {
      const auto number = static_cast<std::uint32_t>(pid);
      if (number < kMostPids) {
        highest = std::max(highest, number);
      } else {
        others_.push_back(pid);
      }
    }
    std::ranges::sort(others_);
    limit_ = highest + 1;
    bits_.assign(limit_ / 32 + 1, 0);
    for (const std::int32_t pid : pids) {
      const auto number = static_cast<std::uint32_t>(pid);
      if (number < kMostPids) bits_[number / 32] |= 1u << number % 32;
    }
  }
  // Bit limit() is 0 and stands for every pid above.
  const std::uint32_t* bits() const { return bits_.data(); }
  std::uint32_t limit() const { return limit_; }
  // Ascending; none on any real machine.
  std::span<const std::int32_t> others() const { return others_; }

 private:
  std::vector<std::uint32_t> bits_;
  std::vector<std::int32_t> others_;
  std::uint32_t limit_ = 0;
};

}  // namespace desk::kernel
