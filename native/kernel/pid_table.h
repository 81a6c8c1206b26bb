// The pids of one sweep.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace desk::kernel {

// A bit per pid up to the highest one. Pids beyond PID_MAX_LIMIT (linux/threads.h: 2^22) exist in no kernel;
// but foreign columns may contain them: the table ends at kMostPids, and others are searched one by one.
class PidTable {
 public:
  static constexpr std::uint32_t kMostPids = 1u << 26;

  // Replaces the content. Fastest for ascending pids, as a sweep writes them.
  void Fill(std::span<const std::int32_t> pids) {
    others_.clear();
    if (pids.empty() || pids.front() < 0 || static_cast<std::uint32_t>(pids.back()) >= kMostPids)
      return FillAny(pids);
    Clear(static_cast<std::uint32_t>(pids.back()));
    Walk walk;
    std::int32_t before = pids.front();
    for (std::size_t at = 0; at < pids.size(); at += kChunk) {
      const auto chunk = pids.subspan(at, std::min(kChunk, pids.size() - at));
      if (chunk.front() < before || chunk.back() > pids.back() || Falls(chunk)) return FillAny(pids);
      before = chunk.back();
      walk = FillChunk(chunk, walk);
    }
  }
  bool Has(std::int32_t pid) const {
    const std::uint32_t number = std::min(static_cast<std::uint32_t>(pid), limit_);
    return (bits_[number / 32] >> (number % 32) & 1) != 0 ||
           (!others_.empty() && std::ranges::binary_search(others_, pid));
  }

 private:
  // Collects the pids of a word in a register and stores it with each pid: no reads, no branches. Since the
  // pids ascend, no word is visited again.
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

  // Small enough to stay in the first-level cache between the order check and the walk.
  static constexpr std::size_t kChunk = 2048;

  static bool Falls(std::span<const std::int32_t> pids) {
    unsigned falls = 0;
    for (std::size_t at = 1; at < pids.size(); ++at) falls |= pids[at - 1] > pids[at] ? 1u : 0u;
    return falls != 0;
  }

  // Two interleaved walks, because each step depends on the one before. The second starts with its own word.
  Walk FillChunk(std::span<const std::int32_t> pids, Walk low) {
    std::size_t middle = pids.size() / 2;
    while (middle < pids.size() && (middle == 0 || pids[middle] / 32 == pids[middle - 1] / 32)) ++middle;
    const std::size_t both = std::min(middle, pids.size() - middle);
    Walk high;
    for (std::size_t at = 0; at < both; ++at) {
      low.Step(pids[at], bits_.data());
      high.Step(pids[middle + at], bits_.data());
    }
    for (std::size_t at = both; at < middle; ++at) low.Step(pids[at], bits_.data());
    for (std::size_t at = middle + both; at < pids.size(); ++at) high.Step(pids[at], bits_.data());
    return middle < pids.size() ? high : low;
  }

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
  // Ascending; none on any real machine.
  std::vector<std::int32_t> others_;
  // Its bit is 0 and represents every larger pid.
  std::uint32_t limit_ = 0;
};

}  // namespace desk::kernel
