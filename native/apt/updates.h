// Pending updates by what apt has downloaded (apt-get(8), apt_preferences(5)).
#pragma once

#include <cstdint>
#include <string>

namespace desk::apt {

struct AptUpdates {
  // Why they are not known: kNoDatabase, kNoLists, kPreferences, kFormat, or the name of an errno. "" where
  // they are.
  std::string trouble;
  // Installed packages of which a newer version can be installed; those on hold do not count.
  std::uint32_t all = 0;
  // Of these, those of which a newer version is in a release for security.
  std::uint32_t security = 0;
  // When the lists last changed, in seconds since the epoch.
  std::uint64_t seconds = 0;
};

// The machine does not use apt.
inline constexpr const char* kNoDatabase = "no-database";
// `apt update` has not run.
inline constexpr const char* kNoLists = "no-lists";
// The administrator has set priorities that may decide it, which this does not follow.
inline constexpr const char* kPreferences = "preferences";
// A list is compressed in another way than lz4, or damaged.
inline constexpr const char* kFormat = "format";

// `root`: the folder that var and etc are in.
AptUpdates UpdatesOfApt(const std::string& root);

}  // namespace desk::apt
