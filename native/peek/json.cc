#include "core/utf8.h"
#include "peek/writer.h"

namespace desk {

void AppendJsonString(std::string& into, std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  into += '"';
  // Quotes and control characters are ASCII, so the parts between them can be converted to UTF-8 separately.
  std::size_t from = 0;
  for (std::size_t at = 0; at <= bytes.size(); ++at) {
    const auto byte =
        at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : static_cast<unsigned char>('"');
    if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
    AppendLossy(into, bytes.substr(from, at - from));
    from = at + 1;
    if (at == bytes.size()) break;
    if (byte >= 0x20) {
      into += '\\';
      into += static_cast<char>(byte);
    } else {
      into += "\\u00";
      into += kHex[byte >> 4U];
      into += kHex[byte & 0xfU];
    }
  }
  into += '"';
}

}  // namespace desk
