// The format of Debian's control files (deb822(5)).
#pragma once

#include <optional>
#include <string_view>

#include "core/text.h"

namespace desk::files {

// The value of a field, when the line has it.
inline std::optional<std::string_view> FieldValue(std::string_view line, std::string_view field) {
  if (line.size() <= field.size() || !line.starts_with(field) || line[field.size()] != ':')
    return std::nullopt;
  return TrimBlanks(line.substr(field.size() + 1));
}

}  // namespace desk::files
