#include "kernel/value_set.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/sorted.h"

namespace desk::kernel {
namespace {

// Vigna's splitmix64: the next multiplier to try.
std::uint64_t Mix(std::uint64_t seed) {
  std::uint64_t z = seed * 0x9e37'79b9'7f4a'7c15u;
  z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9u;
  z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11ebu;
  return z ^ (z >> 31);
}

// At most half full, an insertion that moves this many others is in a cycle.
constexpr int kMostMoves = 512;
constexpr int kAttemptsPerSize = 16;

}  // namespace

CuckooTable::CuckooTable(std::span<const std::uint64_t> values) {
  bits_ = std::max(1, static_cast<int>(std::bit_width(2 * values.size() + values.size() / 4)));
  std::uint64_t seed = 0;
  // Random multipliers fail once in a few attempts at most; otherwise the table grows.
  for (;; ++bits_) {
    shift_ = 64 - bits_;
    for (int attempt = 0; attempt < kAttemptsPerSize; ++attempt) {
      multiplier_ = Mix(++seed) | 1;
      if (Fill(values)) return;
    }
  }
}

bool CuckooTable::Fill(std::span<const std::uint64_t> values) {
  slots_.assign(std::size_t{1} << bits_, values.front());
  std::vector<bool> taken(slots_.size());
  const auto first = [this](std::uint64_t value) { return (value * multiplier_) >> shift_; };
  const auto second = [this](std::uint64_t value) { return ((value * multiplier_) << bits_) >> shift_; };
  for (const std::uint64_t value : values) {
    std::uint64_t displaced = value;
    std::uint64_t at = first(displaced);
    int moves = 0;
    while (taken[at]) {
      if (++moves > kMostMoves) return false;
      std::swap(displaced, slots_[at]);
      at = at == first(displaced) ? second(displaced) : first(displaced);
    }
    slots_[at] = displaced;
    taken[at] = true;
  }
  return true;
}

ValueSet::ValueSet(std::vector<std::uint64_t> values) : values_(std::move(values)) {
  SortDistinct(values_);
  if (!values_.empty()) table_ = CuckooTable(values_);
}

}  // namespace desk::kernel
