// Membership in a set of few values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernel/words.h"

namespace desk::kernel {

// Compares with every member: N is a constant, so that all stay in vector registers.
template <std::size_t N, class U>
void CompareEach(const U* column, std::size_t rows, const U* members, const Target& target) {
  Lanes<U> spread[N];
  for (std::size_t at = 0; at < N; ++at) spread[at] = Lanes<U>(members[at]);
  OverWords(column, rows, target, [&spread](const U* at) {
    return CompareWord(at, [&spread](const Lanes<U>& x) {
      auto found = x == spread[0];
      for (std::size_t member = 1; member < N; ++member) found = found || x == spread[member];
      return found;
    });
  });
}

#if defined(__AVX512F__)

// For 32 and 64-bit elements: when the members differ in a few adjacent bits, those bits select the one
// member that an element can equal from two registers. Three instructions per vector, for any number of
// members.
template <class U>
class Chosen {
 public:
  static constexpr int kBits = sizeof(U) == 8 ? 4 : 5;
  static constexpr std::size_t kSlots = std::size_t{1} << kBits;

  // False when no such bits exist.
  bool Find(std::span<const U> members) {
    for (shift_ = 0; shift_ + kBits <= static_cast<int>(8 * sizeof(U)); ++shift_) {
      if (Fill(members)) return true;
    }
    return false;
  }
  std::uint64_t Word(const U* at) const {
    const __m512i low = _mm512_load_si512(slots_);
    const __m512i high = _mm512_load_si512(slots_ + kLanes<U>);
    return CompareWord(at, [&](const Lanes<U>& x) {
      const auto places = std::bit_cast<__m512i>(x >> shift_);
      if constexpr (sizeof(U) == 8) {
        return x == std::bit_cast<Lanes<U>>(_mm512_permutex2var_epi64(low, places, high));
      } else {
        return x == std::bit_cast<Lanes<U>>(_mm512_permutex2var_epi32(low, places, high));
      }
    });
  }

 private:
  bool Fill(std::span<const U> members) {
    bool taken[kSlots] = {};
    // An empty slot holds some member: a match is a member in any case.
    for (U& slot : slots_) slot = members.front();
    for (const U member : members) {
      const std::size_t slot = (member >> shift_) % kSlots;
      if (taken[slot]) return false;
      taken[slot] = true;
      slots_[slot] = member;
    }
    return true;
  }

  alignas(64) U slots_[kSlots];
  int shift_ = 0;
};

#endif

template <class U>
void CompareFew(const U* column, std::size_t rows, std::span<const U> members, const Target& target) {
#if defined(__AVX512F__)
  // Up to three comparisons are as fast.
  if constexpr (sizeof(U) >= 4) {
    Chosen<U> chosen;
    if (members.size() > 3 && chosen.Find(members)) {
      return OverWords(column, rows, target, [&chosen](const U* at) { return chosen.Word(at); });
    }
  }
#endif
  // Padded with its first member to the next available number of comparisons.
  U padded[16];
  for (std::size_t at = 0; at < 16; ++at)
    padded[at] = members.empty() ? U{} : members[at < members.size() ? at : 0];
  switch ((members.size() + 3) / 4) {
    case 0:
      return OverWords(column, rows, target, [](const U*) { return std::uint64_t{0}; });
    case 1:
      if (members.size() == 1) return CompareEach<1>(column, rows, padded, target);
      if (members.size() == 2) return CompareEach<2>(column, rows, padded, target);
      if (members.size() == 3) return CompareEach<3>(column, rows, padded, target);
      return CompareEach<4>(column, rows, padded, target);
    case 2:
      return CompareEach<8>(column, rows, padded, target);
    case 3:
      return CompareEach<12>(column, rows, padded, target);
    default:
      return CompareEach<16>(column, rows, padded, target);
  }
}

}  // namespace desk::kernel
