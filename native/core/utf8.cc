#include "core/utf8.h"

#include <cstdint>

namespace desk {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

// What must follow a lead byte: how many continuation bytes, and the range of the first of them, which keeps
// out overlong forms, surrogates and values beyond U+10FFFF (Unicode, table 3-7).
struct Lead {
  unsigned more = 0;
  std::uint8_t low = 0x80;
  std::uint8_t high = 0xbf;
};

Lead LeadOf(std::uint8_t byte) {
  if (byte >= 0xc2 && byte <= 0xdf) return {.more = 1};
  if (byte == 0xe0) return {.more = 2, .low = 0xa0};
  if (byte == 0xed) return {.more = 2, .high = 0x9f};
  if (byte >= 0xe1 && byte <= 0xef) return {.more = 2};
  if (byte == 0xf0) return {.more = 3, .low = 0x90};
  if (byte == 0xf4) return {.more = 3, .high = 0x8f};
  if (byte >= 0xf1 && byte <= 0xf3) return {.more = 3};
  return {};
}

}  // namespace

void AppendLossy(std::string& into, std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const auto byte = static_cast<std::uint8_t>(bytes[at]);
    if (byte < 0x80) {
      into.push_back(bytes[at++]);
      continue;
    }
    Lead lead = LeadOf(byte);
    std::size_t end = at + 1;
    unsigned missing = lead.more;
    while (missing > 0 && end < bytes.size()) {
      const auto next = static_cast<std::uint8_t>(bytes[end]);
      if (next < lead.low || next > lead.high) break;
      lead = {};
      ++end;
      --missing;
    }
    const bool whole = missing == 0 && end > at + 1;
    into.append(whole ? bytes.substr(at, end - at) : kReplacement);
    at = end;
  }
}

}  // namespace desk
