// Column elements compared a vector at a time into bitmap words: bit i of a word is row i of 64.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernel/lanes.h"

namespace desk::kernel {

inline constexpr std::size_t kWordRows = 64;

#if defined(DESK_KERNEL_SSE2_ONLY)

// SSE2 makes masks of whole elements: narrowed to one byte a row, 16 rows are one move-mask, which is faster
// than a move-mask and a shift for each vector.
template <class T, class Compare>
__m128i Narrow(const T* at, const Compare& compare) {
  const auto mask = [&](std::size_t vector) {
    return std::bit_cast<__m128i>(compare(Lanes<T>(at + vector * kLanes<T>)));
  };
  if constexpr (sizeof(T) == 1)
    return mask(0);
  else if constexpr (sizeof(T) == 2)
    return _mm_packs_epi16(mask(0), mask(1));
  else
    return _mm_packs_epi16(_mm_packs_epi32(mask(0), mask(1)), _mm_packs_epi32(mask(2), mask(3)));
}

// Calls compare(vector) -> mask over 64 rows.
template <class T, class Compare>
std::uint64_t CompareWord(const T* at, const Compare& compare) {
  std::uint64_t bits = 0;
  for (std::size_t row = 0; row < kWordRows; row += 16) {
    const auto sixteen = static_cast<std::uint32_t>(_mm_movemask_epi8(Narrow(at + row, compare)));
    bits |= std::uint64_t{sixteen} << row;
  }
  return bits;
}

#else

// Calls compare(vector) -> mask over 64 rows.
template <class T, class Compare>
std::uint64_t CompareWord(const T* at, const Compare& compare) {
  std::uint64_t bits = 0;
  for (std::size_t row = 0; row < kWordRows; row += kLanes<T>)
    bits |= BitsOf(compare(Lanes<T>(at + row))) << row;
  return bits;
}

#endif

// Calls test(element) -> bool over 64 rows, where vectors are not faster.
template <class T, class Test>
std::uint64_t TestWord(const T* at, const Test& test) {
  std::uint64_t bits = 0;
  for (std::size_t row = 0; row < kWordRows; ++row) bits |= std::uint64_t{test(at[row])} << row;
  return bits;
}

// Where the bits of a comparison go.
struct Target {
  std::uint64_t* words = nullptr;
  // Distance in bytes to prefetch ahead, 0 = none. The processor's own prefetcher restarts for every column
  // of every block.
  std::size_t next = 0;
};

inline void FetchAhead(const void* at, std::size_t bytes, std::size_t distance) {
  // May point beyond the end of the column: a prefetch never faults.
  const auto start = reinterpret_cast<std::uintptr_t>(at) + distance;
  for (std::size_t line = 0; line < bytes; line += 64) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the arithmetic of pointers ends with the column
    __builtin_prefetch(reinterpret_cast<const void*>(start + line), 0, 2);
  }
}

// words[i] = form(64 rows from 64 i on); the last, incomplete word sees its rows and then zeroes. Bits beyond
// `rows` are undefined: the reader masks them.
template <class T, class Form>
void OverWords(const T* column, std::size_t rows, const Target& target, const Form& form) {
  const std::size_t whole = rows / kWordRows;
  if (target.next == 0) {
    for (std::size_t word = 0; word < whole; ++word) target.words[word] = form(column + word * kWordRows);
  } else {
    for (std::size_t word = 0; word < whole; ++word) {
      FetchAhead(column + word * kWordRows, kWordRows * sizeof(T), target.next);
      target.words[word] = form(column + word * kWordRows);
    }
  }
  if (rows % kWordRows == 0) return;
  T rest[kWordRows] = {};
  std::memcpy(rest, column + whole * kWordRows, rows % kWordRows * sizeof(T));
  target.words[whole] = form(rest);
}

}  // namespace desk::kernel
