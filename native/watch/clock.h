#pragma once

#include <cstdint>
#include <ctime>

namespace desk {

// The clock of the kernel's event timestamps and of every due time here.
inline std::int64_t MonotonicNs() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

inline double MonotonicMs() { return static_cast<double>(MonotonicNs()) / 1e6; }

inline timespec TimespecOf(std::int64_t ns) {
  return {.tv_sec = ns / 1'000'000'000, .tv_nsec = ns % 1'000'000'000};
}

}  // namespace desk
