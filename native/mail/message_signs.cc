#include "mail/message_signs.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "core/text.h"

namespace desk {
namespace {

// Longer than any date.
constexpr std::size_t kMostDateBytes = 200;
// Most blanks between two parts.
constexpr std::size_t kMostBlanks = 9;
constexpr std::size_t kMostMonth = 9;

constexpr std::string_view kMonths = "janfebmaraprmayjunjulaugsepoctnovdec";

struct Zone {
  std::string_view name;
  int hours;
};
constexpr std::array<Zone, 8> kZones = {
    {{"est", -5}, {"edt", -4}, {"cst", -6}, {"cdt", -5}, {"mst", -7}, {"mdt", -6}, {"pst", -8}, {"pdt", -7}}};

constexpr bool Letter(char c) { return LowerAscii(c) >= 'a' && LowerAscii(c) <= 'z'; }
// The last one is the no-break space of Latin-1.
constexpr bool DateBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || c == '\xa0'; }

// Takes runs of characters off the front of a text.
class Walk {
 public:
  explicit Walk(std::string_view text) : rest_(text) {}

  template <class Kind>
  std::string_view Run(Kind kind, std::size_t most) {
    std::size_t length = 0;
    while (length < most && length < rest_.size() && kind(rest_[length])) ++length;
    const std::string_view run = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return run;
  }
  bool Blanks() { return !Run(DateBlank, kMostBlanks).empty(); }
  bool Sign(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

int Number(std::string_view digits) {
  int number = 0;
  for (const char digit : digits) number = number * 10 + (digit - '0');
  return number;
}

// Days since the epoch of the first day of a month (0 to 11), in the Gregorian calendar.
std::int64_t DaysBefore(int year, int month) {
  static constexpr std::array<int, 12> kBefore = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  const auto leaps = [](int last) { return last / 4 - last / 100 + last / 400; };
  const bool leap = leaps(year) > leaps(year - 1);
  const std::int64_t days = std::int64_t{year - 1} * 365 + leaps(year - 1) - 719'162;
  return days + kBefore[static_cast<std::size_t>(month)] + (leap && month > 1 ? 1 : 0);
}

// Minutes east of UTC of the zone at the front; 0 without one.
int ZoneMinutes(Walk walk) {
  walk.Run(DateBlank, kMostBlanks);
  const bool west = walk.Sign('-');
  if (west || walk.Sign('+')) {
    const std::string_view digits = walk.Run(IsDigit, 4);
    if (digits.size() < 4) return 0;
    return (west ? -1 : 1) * (60 * Number(digits.substr(0, 2)) + Number(digits.substr(2)));
  }
  const std::string_view name = walk.Run(Letter, 5);
  for (const Zone& zone : kZones)
    if (std::ranges::equal(name, zone.name, [](char a, char b) { return LowerAscii(a) == b; }))
      return 60 * zone.hours;
  return 0;
}

struct Parts {
  std::string_view day, month, year, hour, minute, second;
  int zone_minutes = 0;
};

// The parts of a date that begins at the front of the text.
std::optional<Parts> PartsAt(std::string_view text) {
  Parts parts;
  Walk walk(text);
  parts.day = walk.Run(IsDigit, 2);
  if (parts.day.empty() || !walk.Blanks()) return std::nullopt;
  parts.month = walk.Run(Letter, kMostMonth);
  if (parts.month.size() < 3 || !walk.Blanks()) return std::nullopt;
  parts.year = walk.Run(IsDigit, 4);
  if (parts.year.size() < 2 || !walk.Blanks()) return std::nullopt;
  parts.hour = walk.Run(IsDigit, 2);
  if (parts.hour.empty() || !walk.Sign(':')) return std::nullopt;
  parts.minute = walk.Run(IsDigit, 2);
  if (parts.minute.size() < 2) return std::nullopt;
  Walk seconds = walk;
  if (seconds.Sign(':')) {
    const std::string_view digits = seconds.Run(IsDigit, 2);
    if (digits.size() == 2) {
      parts.second = digits;
      walk = seconds;
    }
  }
  parts.zone_minutes = ZoneMinutes(walk);
  return parts;
}

std::optional<std::int64_t> TimeOf(const Parts& parts) {
  const std::array<char, 3> begins = {LowerAscii(parts.month[0]), LowerAscii(parts.month[1]),
                                      LowerAscii(parts.month[2])};
  const std::size_t month = kMonths.find(std::string_view(begins.data(), begins.size()));
  if (month == std::string_view::npos || month % 3 != 0) return std::nullopt;
  int year = Number(parts.year);
  if (parts.year.size() == 2 && year < 50) year += 100;
  // RFC 5322 section 4.3, for three digits; four digits with a value below 100 come from programs that pad
  // with zeros.
  if (parts.year.size() < 4 || year < 100) year += 1900;
  const int day = Number(parts.day);
  const std::int64_t hour = Number(parts.hour);
  const int minute = Number(parts.minute);
  const int second = Number(parts.second);
  if (day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  const std::int64_t days = DaysBefore(year, static_cast<int>(month / 3)) + day - 1;
  const std::int64_t minutes = days * 1440 + hour * 60 + minute - parts.zone_minutes;
  return (minutes * 60 + second) * 1000;
}

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kEarliestMs = 315'532'800'000;

// The date behind the last semicolon (RFC 5322 section 3.6.7).
std::optional<std::int64_t> ReceivedTime(std::string_view received) {
  const std::size_t semicolon = received.rfind(';');
  if (semicolon == std::string_view::npos) return std::nullopt;
  std::string date;
  AppendCollapsed(received.substr(semicolon + 1), date);
  return MessageDate(date);
}

constexpr bool WordCharacter(char c) { return IsDigit(c) || (c >= 'a' && c <= 'z') || c == '_'; }

// Collapsed and in lower case.
std::string LowerText(const HeaderFields& fields, Field field) {
  std::string text;
  fields.AppendTo(text, field);
  for (char& c : text) c = LowerAscii(c);
  return text;
}

}  // namespace

std::optional<std::int64_t> MessageDate(std::string_view text) {
  text = text.substr(0, kMostDateBytes);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!IsDigit(text[at])) continue;
    if (const std::optional<Parts> parts = PartsAt(text.substr(at))) return TimeOf(*parts);
  }
  return std::nullopt;
}

std::int64_t MessageTime(const HeaderFields& fields, std::int64_t now_ms) {
  const auto believable = [now_ms](const std::optional<std::int64_t>& ms) {
    return ms && *ms >= kEarliestMs && *ms <= now_ms + kDayMs;
  };
  const std::optional<std::int64_t> delivered = ReceivedTime(fields.Raw(Field::kReceived));
  if (believable(delivered)) return *delivered;
  std::string date;
  fields.AppendTo(date, Field::kDate);
  const std::optional<std::int64_t> written = MessageDate(date);
  return believable(written) ? *written : kNoTime;
}

bool FromList(const HeaderFields& fields) { return fields.Has(Field::kListId); }

bool FromProgram(const HeaderFields& fields) {
  const std::string submitted = LowerText(fields, Field::kAutoSubmitted);
  if (!submitted.empty()) {
    const bool no = submitted.starts_with("no");
    if (!no) return true;
    if (submitted.size() > 2 && std::string_view(" ;(").find(submitted[2]) == std::string_view::npos)
      return true;
  }
  if (!FromList(fields)) {
    const std::string precedence = LowerText(fields, Field::kPrecedence);
    const bool many = precedence.starts_with("bulk") || precedence.starts_with("junk");
    if (many && (precedence.size() == 4 || !WordCharacter(precedence[4]))) return true;
  }
  const std::string path = LowerText(fields, Field::kReturnPath);
  return path == "<>" || path == "< >";
}

}  // namespace desk
