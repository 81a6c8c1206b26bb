// Address lists of message headers (RFC 5322 section 3.4), split without parsing the addresses.
#pragma once

#include <string_view>
#include <vector>

namespace desk {

// Replaces `parts` by the parts of a collapsed list, without blanks around them: the texts between commas,
// except commas within quoted strings, comments and encoded words (RFC 2047 section 2). A more complex list
// (groups, routes, commas between angle brackets, escapes, nested or open brackets, comments and quotes) is
// one part.
void DivideAddresses(std::string_view list, std::vector<std::string_view>& parts);

}  // namespace desk
