// Parsing kernel text: lines, fields, overflow-checked numbers. Nothing allocates, nothing throws.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

#include "core/result.h"

namespace desk {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr char LowerAscii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Takes the text up to the next `separator` (or the end) off the front of `rest`.
inline std::string_view TakeUntil(std::string_view& rest, char separator) {
  const std::size_t at = rest.find(separator);
  const std::string_view taken = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + 1);
  return taken;
}

inline std::string_view TrimBlanks(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

// Takes the next field off the front of `line`; fields are separated by blanks.
inline std::string_view TakeField(std::string_view& line) {
  line = TrimBlanks(line);
  return TakeUntil(line, ' ');
}

// The first line of a file that has one value.
inline std::string_view FirstLine(std::string_view text) { return TrimBlanks(TakeUntil(text, '\n')); }

// The whole of `text` as a number of type T in the given base; nothing when it is empty, has other characters
// or does not fit.
template <class T>
std::optional<T> ParseNumber(std::string_view text, int base = 10) {
  T number{};
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number, base);
  if (text.empty() || error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

// A file whose first line is one number; EBADMSG when it is not.
template <class T>
Result<T> ParseValue(std::string_view text) {
  const auto number = ParseNumber<T>(FirstLine(text));
  if (!number) return Errno{EBADMSG};
  return *number;
}

// Stores the number in `target`; false, leaving it alone, when the text is not such a number.
template <class T>
bool ParseInto(T& target, std::string_view text, int base = 10) {
  const auto number = ParseNumber<T>(text, base);
  if (number) target = *number;
  return number.has_value();
}

}  // namespace desk
