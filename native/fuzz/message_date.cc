// Dates of message headers against the same as a regular expression and a calendar of days.
#include <array>
#include <regex>
#include <string>

#include "fuzz/support/fuzz.h"
#include "mail/message_signs.h"

namespace desk::fuzz {
namespace {

// Blanks are spaces here: std::regex knows no others by the locale "C" alone.
const std::regex& Pattern() {
  static const std::regex pattern(
      "([0-9]{1,2}) {1,9}([a-z]{3})[a-z]{0,6} {1,9}([0-9]{2,4}) {1,9}([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?"
      "(?: {0,9}(?:([+-])([0-9]{2})([0-9]{2})|([a-z]{1,5})))?");
  return pattern;
}

int DaysOf(int year, int month) {
  static constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return kDays.at(static_cast<std::size_t>(month)) + (month == 1 && leap ? 1 : 0);
}

// Day by day, or back.
std::int64_t DaysBefore(int year, int month) {
  std::int64_t days = 0;
  for (int at = 1970; at < year; ++at)
    for (int each = 0; each < 12; ++each) days += DaysOf(at, each);
  for (int at = year; at < 1970; ++at)
    for (int each = 0; each < 12; ++each) days -= DaysOf(at, each);
  for (int each = 0; each < month; ++each) days += DaysOf(year, each);
  return days;
}

std::optional<std::int64_t> SlowDate(std::string text) {
  text.resize(std::min<std::size_t>(text.size(), 200));
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    if ((c >= '\t' && c <= '\r') || c == '\xa0') c = ' ';
  }
  std::smatch found;
  if (!std::regex_search(text, found, Pattern())) return std::nullopt;
  const auto number = [&found](std::size_t at) -> std::int64_t {
    return found[at].matched ? std::stoi(found[at].str()) : 0;
  };
  static constexpr std::array<const char*, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                          "jul", "aug", "sep", "oct", "nov", "dec"};
  int month = 0;
  while (month < 12 && found[2].str() != kMonths.at(static_cast<std::size_t>(month))) ++month;
  if (month == 12) return std::nullopt;
  int year = static_cast<int>(number(3));
  if (found[3].length() == 2)
    year += year < 50 ? 2000 : 1900;
  else if (found[3].length() == 3 || year < 100)
    year += 1900;
  if (number(1) < 1 || number(1) > 31 || number(4) > 23 || number(5) > 59 || number(6) > 60)
    return std::nullopt;
  std::int64_t minutes = 60 * number(8) + number(9);
  if (found[7].matched && found[7].str() == "-") minutes = -minutes;
  const std::string zone = found[10].str();
  if (zone.size() == 3 && zone.ends_with('t') && (zone[1] == 's' || zone[1] == 'd')) {
    const std::size_t place = std::string_view("ecmp").find(zone[0]);
    if (place != std::string_view::npos)
      minutes = -60 * (5 + static_cast<std::int64_t>(place) - (zone[1] == 'd' ? 1 : 0));
  }
  const std::int64_t days = DaysBefore(year, month) + number(1) - 1;
  return ((days * 1440 + number(4) * 60 + number(5) - minutes) * 60 + number(6)) * 1000;
}

}  // namespace

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string_view text = TextOf(input);
  Ensure(MessageDate(text) == SlowDate(std::string(text)));
}

}  // namespace desk::fuzz
