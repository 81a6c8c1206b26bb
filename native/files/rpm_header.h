// The header of a package, as rpm stores it (lib/header.c and docs/manual/format_header.md of rpm). It may
// have any content.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "files/digest.h"

namespace desk::files {

// A file of a package that is there for it: not left out when the package was installed.
struct RpmFile {
  std::string path;
  // Nothing of a link, of a file that is made later, and of one that another package has replaced.
  std::optional<Digest> digest;
  // The packager has marked it as a configuration file, or excluded its content from verification.
  bool configuration = false;
  // Mode bits (07777).
  std::uint16_t mode = 0;
};

struct RpmHeader {
  std::string name;
  // With the epoch, where there is one, and the release.
  std::string version;
  std::string architecture;
  // Seconds since the epoch.
  std::uint32_t installed = 0;
};

// Files of one package that are read; the largest have a hundred thousand.
inline constexpr std::size_t kMostRpmFiles = 1 << 20;

// Nothing where it is damaged.
std::optional<RpmHeader> ParseRpmHeader(std::string_view bytes);

// Calls back with each file. False where they are damaged.
bool EachRpmFile(std::string_view bytes, const std::function<void(const RpmFile&)>& visit);

}  // namespace desk::files
