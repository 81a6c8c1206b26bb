// Compares the files of a package with the digests that its database recorded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "files/package_database.h"

namespace desk::files {

// A file with other content than its package's.
struct Altered {
  std::string path;
  Digest expected{};
  // By the same algorithm.
  Digest found{};
  std::uint32_t mode = 0;
  // Nanoseconds since the epoch.
  std::int64_t changed = 0;
  // It begins as a program or a script does (ELF, "#!").
  bool program = false;
};

// Altered files that one package reports.
inline constexpr std::size_t kMostAltered = 1'000;

struct Verification {
  // A digest of what stat(2) says of all files: as long as it is the same, no content has changed since. ""
  // where a file is altered or unread, or changed in the last two seconds: the next call reads them all.
  std::string seal;
  std::size_t files = 0;
  std::size_t missing = 0;
  std::vector<Altered> altered;
  struct Unread {
    std::string path;
    // An error code, or a phrase.
    std::string reason;
  };
  std::vector<Unread> unread;
};

// Reads the files of an installed package, unless `seal` is still theirs. Configuration files are not
// compared. A link in place of a file is followed, and something else than a file is altered: `found` has
// zeros then. A link of the package that leads to a program of no package is altered: `expected` has zeros.
// Changes to size, times, owner or inode break a seal; the change time is set by the
// kernel alone (inode(7)).
Verification Verify(const Package& package, std::string_view seal);

}  // namespace desk::files
