// Atomic access to words of shared memory. As std::atomic_ref of C++20, which the libc++ of the packages
// (packaging/) does not have.
#pragma once

#include <concepts>

namespace desk {

template <std::integral T>
T LoadRelaxed(const T& word) {
  return __atomic_load_n(&word, __ATOMIC_RELAXED);
}

// Reads after this one see everything that was written before the word was stored.
template <std::integral T>
T LoadAcquire(const T& word) {
  return __atomic_load_n(&word, __ATOMIC_ACQUIRE);
}

template <std::integral T>
void StoreRelaxed(T& word, T value) {
  __atomic_store_n(&word, value, __ATOMIC_RELAXED);
}

// A thread that reads the word with LoadAcquire sees all earlier writes.
template <std::integral T>
void StoreRelease(T& word, T value) {
  __atomic_store_n(&word, value, __ATOMIC_RELEASE);
}

}  // namespace desk
