// Bytes as hexadecimal text, two lower-case digits each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/text.h"

namespace desk {

inline std::string HexOf(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 0xfU];
  }
  return text;
}

// The bytes of a path; nothing when the text is not hexadecimal, or has a NUL.
inline std::optional<std::string> ParseHexPath(std::string_view text) {
  std::string bytes;
  for (; !text.empty(); text.remove_prefix(2)) {
    const auto byte = text.size() < 2 ? std::nullopt : ParseNumber<std::uint8_t>(text.substr(0, 2), 16);
    if (!byte || *byte == 0) return std::nullopt;
    bytes += static_cast<char>(*byte);
  }
  return bytes;
}

}  // namespace desk
