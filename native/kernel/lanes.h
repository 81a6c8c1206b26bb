// Vectors of column elements: the widest that the build has, and what comparing them gives.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#else
#error "There are vectors for SSE2, AVX-512 and NEON."
#endif

#if defined(__SSE2__) && !defined(__AVX512BW__)
#define DESK_KERNEL_SSE2_ONLY 1
#endif

namespace desk::kernel {

#if defined(__AVX512BW__)
inline constexpr std::size_t kVectorBytes = 64;
#else
inline constexpr std::size_t kVectorBytes = 16;
#endif

// An extension of GCC that Clang has too.
template <class T>
struct VectorOf {
  using Type __attribute__((vector_size(kVectorBytes))) = T;
};
template <class T>
using Vector = typename VectorOf<T>::Type;

#if defined(__AVX512BW__)

// A bit for each element, as the comparisons of AVX-512 give it.
template <class T>
struct Matches {
  std::uint64_t bits = 0;

  friend Matches operator||(Matches a, Matches b) { return {a.bits | b.bits}; }
};

#else

// All bits of an element, or none.
template <class T>
struct Matches {
  Vector<T> elements;

  friend Matches operator||(Matches a, Matches b) { return {a.elements | b.elements}; }
  friend Matches operator&&(Matches a, Matches b) { return {a.elements & b.elements}; }
};

#endif

// Unsigned elements.
template <class T>
struct Elements {
  Vector<T> elements;

  static constexpr std::size_t size() { return kVectorBytes / sizeof(T); }
  Elements() = default;
  explicit Elements(T value) : elements(Vector<T>{} + value) {}
  explicit Elements(Vector<T> all) : elements(all) {}
  explicit Elements(const T* at) { std::memcpy(&elements, at, sizeof elements); }

  friend Elements operator&(const Elements& a, const Elements& b) {
    return Elements(a.elements & b.elements);
  }
  friend Elements operator-(const Elements& a, const Elements& b) {
    return Elements(a.elements - b.elements);
  }
  friend Elements operator>>(const Elements& a, int by) { return Elements(a.elements >> static_cast<T>(by)); }

#if defined(__AVX512BW__)
  __m512i bits() const { return std::bit_cast<__m512i>(elements); }

  friend Matches<T> operator==(const Elements& a, const Elements& b) {
    if constexpr (sizeof(T) == 1) return {_mm512_cmpeq_epu8_mask(a.bits(), b.bits())};
    if constexpr (sizeof(T) == 2) return {_mm512_cmpeq_epu16_mask(a.bits(), b.bits())};
    if constexpr (sizeof(T) == 4) return {_mm512_cmpeq_epu32_mask(a.bits(), b.bits())};
    if constexpr (sizeof(T) == 8) return {_mm512_cmpeq_epu64_mask(a.bits(), b.bits())};
  }
  friend Matches<T> operator<=(const Elements& a, const Elements& b) {
    if constexpr (sizeof(T) == 1) return {_mm512_cmple_epu8_mask(a.bits(), b.bits())};
    if constexpr (sizeof(T) == 2) return {_mm512_cmple_epu16_mask(a.bits(), b.bits())};
    if constexpr (sizeof(T) == 4) return {_mm512_cmple_epu32_mask(a.bits(), b.bits())};
    if constexpr (sizeof(T) == 8) return {_mm512_cmple_epu64_mask(a.bits(), b.bits())};
  }
#else
  friend Matches<T> operator==(const Elements& a, const Elements& b) {
    return {std::bit_cast<Vector<T>>(a.elements == b.elements)};
  }
  friend Matches<T> operator<(const Elements& a, const Elements& b) {
    return {std::bit_cast<Vector<T>>(a.elements < b.elements)};
  }
  friend Matches<T> operator<=(const Elements& a, const Elements& b) {
    return {std::bit_cast<Vector<T>>(a.elements <= b.elements)};
  }
#endif
};

#if defined(DESK_KERNEL_SSE2_ONLY)

// Four 64-bit elements as their low and their high halves: comparisons need no shuffle then, and masks have
// 32 bits already. Two to five times as fast as the compiler's code for 64-bit operators.
struct Halves {
  using Half = Elements<std::uint32_t>;
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
  friend Matches<std::uint32_t> operator==(const Halves& a, const Halves& b) {
    return a.low == b.low && a.high == b.high;
  }
  friend Matches<std::uint32_t> operator<=(const Halves& a, const Halves& b) {
    return a.high < b.high || (a.high == b.high && a.low <= b.low);
  }

 private:
  // Of two elements each, as they lie in memory.
  Halves(__m128 first, __m128 second)
      : low(std::bit_cast<Vector<std::uint32_t>>(_mm_shuffle_ps(first, second, _MM_SHUFFLE(2, 0, 2, 0)))),
        high(std::bit_cast<Vector<std::uint32_t>>(_mm_shuffle_ps(first, second, _MM_SHUFFLE(3, 1, 3, 1)))) {}
};

template <class T>
struct LanesOf {
  using Type = Elements<T>;
};
template <>
struct LanesOf<std::uint64_t> {
  using Type = Halves;
};
template <class T>
using Lanes = typename LanesOf<T>::Type;

#else

template <class T>
using Lanes = Elements<T>;

// Bit i is element i.
template <class T>
std::uint64_t BitsOf(const Matches<T>& matches) {
#if defined(__AVX512BW__)
  return matches.bits;
#else
  const auto masks = matches.elements;
  if constexpr (sizeof(T) == 1) {
    constexpr Vector<std::uint8_t> kPlaces = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const auto placed = std::bit_cast<uint8x16_t>(masks & kPlaces);
    return vaddv_u8(vget_low_u8(placed)) | std::uint64_t{vaddv_u8(vget_high_u8(placed))} << 8;
  }
  if constexpr (sizeof(T) == 2) {
    constexpr Vector<std::uint16_t> kPlaces = {1, 2, 4, 8, 16, 32, 64, 128};
    return vaddvq_u16(std::bit_cast<uint16x8_t>(masks & kPlaces));
  }
  if constexpr (sizeof(T) == 4) {
    constexpr Vector<std::uint32_t> kPlaces = {1, 2, 4, 8};
    return vaddvq_u32(std::bit_cast<uint32x4_t>(masks & kPlaces));
  }
  if constexpr (sizeof(T) == 8) return (masks[0] & 1) | (masks[1] & 2);
#endif
}

#endif

template <class T>
inline constexpr std::size_t kLanes = Lanes<T>::size();

// low <= x <= high.
template <class V>
auto Within(const V& x, const V& low, const V& high) {
  if constexpr (requires { x - low; })
    return x - low <= high - low;
  else
    return low <= x && x <= high;
}

}  // namespace desk::kernel
