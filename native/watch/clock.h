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

}  // namespace desk
