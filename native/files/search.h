// Finds the files that a pattern names. Each component of a pattern is literal, or has `*` for any
// characters, or is `**` for any number of folders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fd.h"
#include "core/result.h"

namespace desk::files {

// Whether a name matches a component; `*` also matches a leading dot.
bool Matches(std::string_view name, std::string_view component);

// One file that is not a folder. `folder` and `name`: where it lies; `place` (O_PATH) is the file itself, or
// a link.
struct Found {
  const Fd& folder;
  const std::string& name;
  const Fd& place;
  const std::string& path;
};

struct SearchVisitor {
  // Returns false to stop: more than is wanted.
  std::function<bool(const Found&)> found;
  // A folder or file that could not be opened, with its errno.
  std::function<void(const std::string& path, int error)> refused;
};

// Entries of folders that one search reads.
inline constexpr std::size_t kMostEntries = 65'536;
// Folders that `**` descends.
inline constexpr int kMostDepth = 8;

// Whether a user may list a folder: it is theirs, or everyone may. 0: yes.
bool MayList(const Fd& folder, std::uint32_t viewer);

// Names in a folder, the last one first. `entries` counts those of one search: ENOBUFS beyond `kMostEntries`.
Result<std::vector<std::string>> NamesIn(const Fd& folder, std::size_t& entries);

// Visits what `pattern` (absolute) names, in the order of names. A folder named by a link is followed, except
// by `**`. Where `viewer` is not 0, only folders are read that this user owns or everyone may read: a link
// does not make the files of other users readable. False when there was more than the limits allow.
bool SearchFiles(const std::string& pattern, std::uint32_t viewer, const SearchVisitor& visitor);

}  // namespace desk::files
