// The list of files of a pacman package: mtree(5), as bsdtar(1) writes it. It may have any content.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "files/digest.h"

namespace desk::files {

struct MtreeEntry {
  // Absolute.
  std::string path;
  bool regular = false;
  // SHA-256 where it has both.
  std::optional<Digest> digest;
  std::optional<std::uint16_t> mode;
};

// Calls back with each entry. False where the text is none, or damaged.
bool EachMtreeEntry(std::string_view text, const std::function<void(const MtreeEntry&)>& visit);

}  // namespace desk::files
