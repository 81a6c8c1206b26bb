// One comparison of a program over one column, in the fastest measured form. All forms write the bits of
// `rows` rows into `words`.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "kernel/program.h"
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
    for (shift_ = 0; shift_ + kBits <= static_cast<int>(8 * sizeof(U)); ++shift_)
      if (Fill(members)) return true;
    return false;
  }
  std::uint64_t Word(const U* at) const {
    const __m512i low = _mm512_load_si512(slots_);
    const __m512i high = _mm512_load_si512(slots_ + kLanes<U>);
    return CompareWord(at, [&](const Lanes<U>& x) {
      const __m512i places = (x >> shift_).bits();
      if constexpr (sizeof(U) == 8)
        return x == Lanes<U>(std::bit_cast<Vector<U>>(_mm512_permutex2var_epi64(low, places, high)));
      else
        return x == Lanes<U>(std::bit_cast<Vector<U>>(_mm512_permutex2var_epi32(low, places, high)));
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
    if (members.size() > 3 && chosen.Find(members))
      return OverWords(column, rows, target, [&chosen](const U* at) { return chosen.Word(at); });
  }
#endif
  // Padded with its first member to the next available number of comparisons.
  U padded[16];
  for (std::size_t at = 0; at < 16; ++at)
    padded[at] = members.empty() ? U{} : members[at < members.size() ? at : 0];
  switch ((members.size() + 3) / 4) {
    case 0: return OverWords(column, rows, target, [](const U*) { return std::uint64_t{0}; });
    case 1:
      if (members.size() == 1) return CompareEach<1>(column, rows, padded, target);
      if (members.size() == 2) return CompareEach<2>(column, rows, padded, target);
      if (members.size() == 3) return CompareEach<3>(column, rows, padded, target);
      return CompareEach<4>(column, rows, padded, target);
    case 2: return CompareEach<8>(column, rows, padded, target);
    case 3: return CompareEach<12>(column, rows, padded, target);
    default: return CompareEach<16>(column, rows, padded, target);
  }
}

// Larger sets use the hash table: the break-even point on both x86 builds.
inline constexpr std::size_t kMostCompared = 16;

inline void FillWords(std::uint64_t* words, std::size_t rows, bool bit) {
  std::fill_n(words, (rows + kWordRows - 1) / kWordRows, bit ? ~std::uint64_t{0} : 0);
}

template <class T>
void CompareMasked(const T* column, std::size_t rows, std::uint64_t mask, std::uint64_t value,
                   const Target& target) {
  const Lanes<T> masks(static_cast<T>(mask));
  const Lanes<T> values(static_cast<T>(value));
  OverWords(column, rows, target, [&](const T* at) {
    return CompareWord(at, [&](const Lanes<T>& x) { return (x & masks) == values; });
  });
}

// low <= x <= high. Bounds are clamped to T. The comparison is unsigned relative to `low`, which also works
// for signed numbers.
template <class T>
void CompareRange(const T* column, std::size_t rows, std::uint64_t low, std::uint64_t high,
                  const Target& target) {
  using U = std::make_unsigned_t<T>;
  using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  using Limits = std::numeric_limits<T>;
  const Wide least = std::max(static_cast<Wide>(low), Wide{Limits::min()});
  const Wide most = std::min(static_cast<Wide>(high), Wide{Limits::max()});
  if (least > most) return FillWords(target.words, rows, false);
  const Lanes<U> lowest(static_cast<U>(least));
  const Lanes<U> highest(static_cast<U>(most));
  OverWords(reinterpret_cast<const U*>(column), rows, target, [&](const U* at) {
    return CompareWord(at, [&](const Lanes<U>& x) { return Within(x, lowest, highest); });
  });
}

template <class T>
void CompareSet(const T* column, std::size_t rows, const ValueSet& set, const Target& target) {
  using U = std::make_unsigned_t<T>;
  const auto* const raw = reinterpret_cast<const U*>(column);
  std::array<U, kMostCompared> members{};
  std::size_t count = 0;
  bool small = true;
  for (const std::uint64_t member : set.values()) {
    // A member that no element of the column can equal.
    if (static_cast<std::uint64_t>(static_cast<T>(member)) != member) continue;
    if (count == kMostCompared) {
      small = false;
      break;
    }
    members[count++] = static_cast<U>(member);
  }
  if (small) return CompareFew<U>(raw, rows, {members.data(), count}, target);
  const CuckooTable& table = set.table();
  OverWords(column, rows, target, [&table](const T* at) {
    return TestWord(at, [&table](T x) { return table.Has(static_cast<std::uint64_t>(x)); });
  });
}

inline void CompareBitmap(const std::uint16_t* column, std::size_t rows, const PortBitmap& bitmap,
                          const Target& target) {
  OverWords(
      column, rows, target,
      [&bitmap](const std::uint16_t* at) {
        return TestWord(
            at, [&bitmap](std::uint16_t x) { return (bitmap[x / 32] >> (x % 32) & 1) != 0; });
      });
}

}  // namespace desk::kernel
