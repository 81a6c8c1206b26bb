// /proc/PID/attr/current.
#include "probe/proc_attr.h"

#include <string>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string_view label = TextOf(input);
  const bool permissive = ParseLabel(label, false);
  const bool enforcing = ParseLabel(label, true);
  Ensure(!permissive || enforcing);
  // How the text ends, the kernel's modules do not agree upon: a NUL, a newline, nothing.
  std::string ended(label);
  Ensure(ParseLabel(ended.append(1, '\n'), true) == enforcing);
  Ensure(ParseLabel(ended.append(1, '\0'), false) == permissive);
  if (permissive) Ensure(label.find(" (enforce)") != label.npos || label.find(" (kill)") != label.npos);
  // What no module confines is free under any policy.
  if (label.find(':') == std::string_view::npos && !permissive) Ensure(!enforcing);
}

}  // namespace desk::fuzz
