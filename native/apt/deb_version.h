// Versions of Debian packages (deb-version(7)).
#pragma once

#include <string_view>

namespace desk::apt {

// Below, above or 0, as `one` is older than `other`, newer, or the same version. Any text has an order.
int CompareDebVersions(std::string_view one, std::string_view other);

}  // namespace desk::apt
