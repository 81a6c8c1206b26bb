// Fields and numbers: core/text.h against slow and simple doubles.
#include "core/text.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {
namespace {

// Digit by digit in 128 bits, which no 64-bit number leaves within twenty digits.
template <class T>
std::optional<T> SlowNumber(std::string_view text, unsigned base) {
  const bool minus = std::is_signed_v<T> && text.starts_with('-');
  if (minus) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  __extension__ using Wide = __int128;
  Wide number = 0;
  for (const char c : text) {
    unsigned digit = 99;
    if (c >= '0' && c <= '9') digit = static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'z') digit = static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'Z') digit = static_cast<unsigned>(c - 'A') + 10;
    if (digit >= base) return std::nullopt;
    number = std::min(number * base + digit, Wide{1} << 80);
  }
  if (minus) number = -number;
  if (number < std::numeric_limits<T>::min() || number > std::numeric_limits<T>::max()) return std::nullopt;
  return static_cast<T>(number);
}

template <class T>
void Compare(std::string_view text) {
  Ensure(ParseNumber<T>(text) == SlowNumber<T>(text, 10));
  Ensure(ParseNumber<T>(text, 16) == SlowNumber<T>(text, 16));
}

}  // namespace

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string_view text = TextOf(input);
  Compare<std::uint8_t>(text);
  Compare<std::uint16_t>(text);
  Compare<std::int32_t>(text);
  Compare<std::uint32_t>(text);
  Compare<std::uint64_t>(text);

  const std::string_view trimmed = TrimBlanks(text);
  Ensure(trimmed.empty() || Inside(trimmed, text));
  Ensure(trimmed.find_first_of(" \t") != 0 && !trimmed.ends_with(' ') && !trimmed.ends_with('\t'));

  // The fields and their separators are the text again.
  std::string_view rest = text;
  std::string joined;
  auto left = std::ranges::count(text, ' ');
  for (; !rest.empty(); --left) {
    joined += TakeUntil(rest, ' ');
    if (left > 0) joined += ' ';
  }
  Ensure(joined == text);
}

}  // namespace desk::fuzz
