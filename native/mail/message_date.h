// Dates of mail headers (RFC 5322 sections 3.3 and 4.3).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace desk {

// Milliseconds since the epoch of the first date in the first 200 bytes of the text; nothing when there is
// none, or it is invalid. Named zones other than those of North America count as UTC, as the military ones
// must.
std::optional<std::int64_t> MessageDate(std::string_view text);

}  // namespace desk
