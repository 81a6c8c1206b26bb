// JSON strings of any bytes, and the kind of a descriptor by its link.
#include <string>

#include "core/utf8.h"
#include "fuzz/support/fuzz.h"
#include "peek/links.h"
#include "peek/writer.h"

namespace desk::fuzz {
namespace {

unsigned HexDigit(char digit) { return static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10); }

// Resolves the escapes of AppendJsonString.
std::string Unescaped(std::string_view text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\') {
      bytes += text[at];
    } else if (text.substr(at + 1).starts_with("u00")) {
      bytes += static_cast<char>(HexDigit(text[at + 4]) * 16 + HexDigit(text[at + 5]));
      at += 5;
    } else {
      bytes += text[++at];
    }
  }
  return bytes;
}

}  // namespace

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string_view bytes = TextOf(input);
  std::string json = "[";
  AppendJsonString(json, bytes);
  Ensure(json.starts_with("[\"") && json.ends_with('"') && json.size() >= 3);
  const std::string_view inner = std::string_view(json).substr(2, json.size() - 3);
  for (const char c : inner) Ensure(static_cast<unsigned char>(c) >= 0x20);
  std::string text;
  AppendLossy(text, bytes);
  Ensure(Unescaped(inner) == text);

  const LinkKind kind = LinkKindOf(bytes);
  Ensure(kind == LinkKind::kOther || bytes.starts_with("/dev/") || bytes.starts_with("socket:["));
  Ensure(!IsInternetProtocol(bytes) || kind == LinkKind::kOther);
}

}  // namespace desk::fuzz
