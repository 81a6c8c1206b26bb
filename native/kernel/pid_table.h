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

  // Replaces what was there. Fastest over ascending pids, as a sweep writes them.
  void Fill(std::span<const std::int32_t> pids) {
    others_.clear();
    std::uint32_t highest = 0;
    std::uint32_t falls = 0;
    for (const std::int32_t pid : pids) highest = std::max(highest, static_cast<std::uint32_t>(pid));
    for (std::size_t at = 1; at < pids.size(); ++at) falls |= pids[at - 1] > pids[at] ? 1u : 0u;
    if (highest >= kMostPids || falls != 0) return FillAny(pids);
    Clear(highest);
    // Two walks at a time, for each step waits for the one before it. The second starts with a word of its
    // own.
    std::size_t middle = pids.size() / 2;
    while (middle > 0 && middle < pids.size() && pids[middle] / 32 == pids[middle - 1] / 32) ++middle;
    Walk low;
    Walk high;
    const std::size_t both = std::min(middle, pids.size() - middle);
    for (std::size_t at = 0; at < both; ++at) {
      low.Step(pids[at], bits_.data());
      high.Step(pids[middle + at], bits_.data());
    }
    for (std::size_t at = both; at < middle; ++at) low.Step(pids[at], bits_.data());
    for (std::size_t at = middle + both; at < pids.size(); ++at) high.Step(pids[at], bits_.data());
  }
  // Bit limit() is 0 and stands for every pid above.
  const std::uint32_t* bits() const { return bits_.data(); }
  std::uint32_t limit() const { return limit_; }
  // Ascending; none on any real machine.
  std::span<const std::int32_t> others() const { return others_; }

 private:
  // Puts the pids of a word together in a register and stores it with each: nothing is read back, no branch
  // is taken. A word is never left and met again, since the pids ascend.
  struct Walk {
    std::uint32_t place = 0;
    std::uint32_t word = 0;

    void Step(std::int32_t pid, std::uint32_t* bits) {
      const auto number = static_cast<std::uint32_t>(pid);
      word = (number / 32 == place ? word : 0) | 1u << number % 32;
      place = number / 32;
      bits[place] = word;
    }
  };

  void Clear(std::uint32_t highest) {
    limit_ = highest + 1;
    bits_.assign(limit_ / 32 + 1, 0);
  }

  void FillAny(std::span<const std::int32_t> pids) {
    std::uint32_t highest = 0;
    for (const std::int32_t pid : pids) {
      const auto number = static_cast<std::uint32_t>(pid);
      if (number >= kMostPids) others_.push_back(pid);
      if (number < kMostPids) highest = std::max(highest, number);
    }
    std::ranges::sort(others_);
    Clear(highest);
    for (const std::int32_t pid : pids) {
      const auto number = static_cast<std::uint32_t>(pid);
      if (number < kMostPids) bits_[number / 32] |= 1u << number % 32;
    }
  }

  std::vector<std::uint32_t> bits_;
  std::vector<std::int32_t> others_;
  std::uint32_t limit_ = 0;
};

}  // namespace desk::kernel
