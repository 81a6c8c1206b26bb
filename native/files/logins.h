// Who has logged in, by the records that login programs keep (wtmp(5)).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"

namespace desk::files {

struct Login {
  std::string user;
  // The terminal, such as pts/0.
  std::string line;
  // From where; "" on this machine.
  std::string host;
  // Since the epoch.
  std::uint64_t seconds = 0;
};

// Bytes at the end of the file that are read, and users that are reported.
inline constexpr std::size_t kMostLoginBytes = 32 << 20;
inline constexpr std::size_t kMostLogins = 10'000;

// The last login of each user, the latest first. The content of the file is not checked: who may write it
// can write anything.
Result<std::vector<Login>> LastLogins(const std::string& path);

}  // namespace desk::files
