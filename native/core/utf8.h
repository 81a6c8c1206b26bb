// Raw bytes of the kernel, decoded as JavaScript does.
#pragma once

#include <string>
#include <string_view>

namespace desk {

// Appends `bytes` as UTF-8, each invalid sequence replaced by U+FFFD exactly as the UTF-8 decoder of the
// WHATWG Encoding Standard does (one replacement per maximal subpart), so that a hash of the result equals
// the hash of the text after decoding and encoding in JavaScript.
void AppendLossy(std::string& into, std::string_view bytes);

}  // namespace desk
