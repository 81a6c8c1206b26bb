// JSON strings of untrusted bytes.
#pragma once

#include <string>
#include <string_view>

namespace desk {

// Appends `bytes` as a JSON string (RFC 8259), quotes included; invalid UTF-8 becomes U+FFFD.
void AppendJsonString(std::string& into, std::string_view bytes);

}  // namespace desk
