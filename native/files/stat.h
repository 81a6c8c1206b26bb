// What stat(2) says of a file.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <ctime>

namespace desk::files {

inline constexpr std::int64_t kSecondNs = 1'000'000'000;

inline std::int64_t Nanoseconds(const struct timespec& time) {
  return time.tv_sec * kSecondNs + time.tv_nsec;
}

// The same file, whose content has not changed between the two: programs cannot set a change time.
inline bool IsUnchanged(const struct stat& one, const struct stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino && one.st_size == other.st_size &&
         Nanoseconds(one.st_mtim) == Nanoseconds(other.st_mtim) &&
         Nanoseconds(one.st_ctim) == Nanoseconds(other.st_ctim);
}

}  // namespace desk::files
