// Address lists of message headers (RFC 5322 section 3.4), divided without being understood.
#pragma once

#include <string_view>
#include <vector>

namespace desk {

// Puts the parts of a collapsed list, blanks around them taken away, in place of what is in `parts`: what
// stands between commas, those within quoted strings, comments and encoded words (RFC 2047 section 2) left
// out. A list with more to it than these (groups, routes, commas between angle brackets, escapes, nested or
// open brackets, comments and quotes) is one part.
void DivideAddresses(std::string_view list, std::vector<std::string_view>& parts);

}  // namespace desk
