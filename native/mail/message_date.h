// Dates of mail headers (RFC 5322 sections 3.3 and 4.3).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace desk {

// Milliseconds since the epoch of the first thing in the text that looks like a date, at most 200 bytes are
// looked at; nothing when there is none, or it is of no calendar. A zone that has another name than those of
// North America counts as UTC, as the military ones must.
std::optional<std::int64_t> MessageDate(std::string_view text);

}  // namespace desk
