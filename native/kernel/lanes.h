// A vector of column elements, as the kernels compare them: std::experimental::simd, but for 64-bit elements
// under SSE2, which has no 64-bit compare.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <experimental/simd>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace desk::kernel {

namespace stdx = std::experimental;

#if defined(__SSE2__) && !defined(__AVX__)
#define DESK_KERNEL_SSE2_ONLY 1
#endif

#if defined(DESK_KERNEL_SSE2_ONLY)

// Four 64-bit elements as their low and their high halves: comparisons need no shuffle then, and masks have
// 32 bits already. Two to five times as fast as the compiler's code for 64-bit operators.
struct Halves {
  using Half = stdx::native_simd<std::uint32_t>;
  Half low;
  Half high;

  static constexpr std::size_t size() { return 4; }
  explicit Halves(std::uint64_t value = 0)
      : low(static_cast<std::uint32_t>(value)), high(static_cast<std::uint32_t>(value >> 32)) {}
  Halves(const Half& low_halves, const Half& high_halves) : low(low_halves), high(high_halves) {}
  explicit Halves(const std::uint64_t* at)
      : Halves(_mm_loadu_ps(reinterpret_cast<const float*>(at)),
               _mm_loadu_ps(reinterpret_cast<const float*>(at + 2))) {}
  friend Halves operator&(const Halves& a, const Halves& b) { return {a.low & b.low, a.high & b.high}; }
  friend Half::mask_type operator==(const Halves& a, const Halves& b) {
    return a.low == b.low && a.high == b.high;
  }
  friend Half::mask_type operator<=(const Halves& a, const Halves& b) {
    return a.high < b.high || (a.high == b.high && a.low <= b.low);
  }

 private:
  // Of two elements each, as they lie in memory.
  Halves(__m128 first, __m128 second)
      : low(std::bit_cast<Half>(_mm_shuffle_ps(first, second, _MM_SHUFFLE(2, 0, 2, 0)))),
        high(std::bit_cast<Half>(_mm_shuffle_ps(first, second, _MM_SHUFFLE(3, 1, 3, 1)))) {}
};

template <class T>
struct LanesOf {
  using Type = stdx::native_simd<T>;
};
template <>
struct LanesOf<std::uint64_t> {
  using Type = Halves;
};
template <class T>
using Lanes = typename LanesOf<T>::Type;

#else

template <class T>
using Lanes = stdx::native_simd<T>;

#endif

template <class T>
inline constexpr std::size_t kLanes = Lanes<T>::size();

template <class T>
Lanes<T> Load(const T* at) {
  if constexpr (requires { Lanes<T>(at); }) {
    return Lanes<T>(at);
  } else {
    return Lanes<T>(at, stdx::element_aligned);
  }
}

// low <= x <= high, unsigned.
template <class V>
auto Within(const V& x, const V& low, const V& high) {
  if constexpr (requires { x - low; }) {
    return x - low <= high - low;
  } else {
    return low <= x && x <= high;
  }
}

}  // namespace desk::kernel
