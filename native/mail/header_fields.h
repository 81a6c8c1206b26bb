// The fields of a message header that the people ledger is made of (RFC 5322 section 2.2).
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace desk {

// In the order in which they are told.
inline constexpr std::array<std::string_view, 12> kMessageFields = {
    "from",       "to",       "cc",          "bcc",     "date",           "subject",
    "message-id", "received", "return-path", "list-id", "auto-submitted", "precedence"};

// Bytes of a header that are looked at.
inline constexpr std::size_t kMostHeader = 65'536;

// Bytes of the header at the front of `bytes` with its empty line; npos when it does not end within them.
std::size_t HeaderEnd(std::string_view bytes);

// Appends a line for each of kMessageFields: a colon and the unfolded value of a field that is there, nothing
// of one that is not. A value has no line feed. The header ends at its first empty line or with the text; of
// a field that stands there several times the first counts, those of to, cc and bcc are joined by commas.
// Linear in the length of the text.
void AppendFields(std::string_view header, std::string& lines);

}  // namespace desk
