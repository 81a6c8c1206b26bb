#include "mail/header_fields.h"

#include <algorithm>
#include <optional>

#include "core/text.h"

namespace desk {
namespace {

// Of the longest name, with blanks before its colon (RFC 5322 section 4.5).
constexpr std::size_t kMostName = 16;

constexpr bool Joined(Field field) { return field >= Field::kTo && field <= Field::kBcc; }
constexpr bool Blank(char c) { return c == ' ' || c == '\t'; }
// Blanks, line ends, vertical tab and form feed.
constexpr bool Space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// First letters of the names, in either case.
constexpr auto kInitials = [] {
  std::array<bool, 256> initials{};
  for (const std::string_view name : kMessageFields) {
    initials[static_cast<std::uint8_t>(name.front())] = true;
    initials[static_cast<std::uint8_t>(name.front() - 'a' + 'A')] = true;
  }
  return initials;
}();

// The field that a line begins.
std::optional<Field> FieldOf(std::string_view line) {
  if (line.empty() || !kInitials[static_cast<std::uint8_t>(line.front())]) return std::nullopt;
  const std::string_view head = line.substr(0, kMostName + 1);
  const std::size_t colon = head.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view name = TrimBlanks(head.substr(0, colon));
  if (name.empty()) return std::nullopt;
  const char initial = LowerAscii(name.front());
  for (std::size_t field = 0; field < kMessageFields.size(); ++field) {
    const std::string_view known = kMessageFields[field];
    if (known.front() != initial || known.size() != name.size()) continue;
    if (std::equal(name.begin(), name.end(), known.begin(),
                   [](char a, char b) { return LowerAscii(a) == b; }))
      return static_cast<Field>(field);
  }
  return std::nullopt;
}

}  // namespace

std::size_t HeaderEnd(std::string_view bytes) {
  for (std::size_t feed = bytes.find('\n'); feed != std::string_view::npos;
       feed = bytes.find('\n', feed + 1)) {
    const std::string_view rest = bytes.substr(feed + 1);
    if (rest.starts_with('\n')) return feed + 2;
    if (rest.starts_with("\r\n")) return feed + 3;
  }
  return std::string_view::npos;
}

void AppendCollapsed(std::string_view text, std::string& into) {
  const std::size_t begin = into.size();
  into.resize(begin + text.size());
  char* end = into.data() + begin;
  const char* const first = end;
  for (const char c : text)
    if (!Space(c))
      *end++ = c;
    else if (end != first && end[-1] != ' ')
      *end++ = ' ';
  if (end != first && end[-1] == ' ') --end;
  into.resize(static_cast<std::size_t>(end - into.data()));
}

void HeaderFields::Find(std::string_view header) {
  there_.fill(false);
  first_.fill({});
  more_.clear();
  std::string_view rest = header.substr(0, kMostHeader);
  while (!rest.empty() && rest.front() != '\n' && !rest.starts_with("\r\n")) {
    const std::string_view line = TakeUntil(rest, '\n');
    const std::optional<Field> field = FieldOf(line);
    const char* end = line.data() + line.size();
    while (!rest.empty() && Blank(rest.front())) {
      const std::string_view folded = TakeUntil(rest, '\n');
      end = folded.data() + folded.size();
    }
    if (!field) continue;
    const char* const from = line.data() + line.find(':') + 1;
    const std::string_view value(from, static_cast<std::size_t>(end - from));
    if (!Has(*field)) {
      there_[At(*field)] = true;
      first_[At(*field)] = value;
    } else if (Joined(*field)) {
      more_.emplace_back(*field, value);
    }
  }
}

void HeaderFields::AppendTo(std::string& into, Field field) const {
  if (!Has(field)) return;
  AppendCollapsed(Raw(field), into);
  for (const auto& [of, value] : more_) {
    if (of != field) continue;
    into += ',';
    AppendCollapsed(value, into);
  }
}

}  // namespace desk
