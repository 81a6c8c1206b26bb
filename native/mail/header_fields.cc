#include "mail/header_fields.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/text.h"

namespace desk {
namespace {

constexpr std::size_t kTo = 1;
constexpr std::size_t kBcc = 3;
constexpr std::size_t kNone = kMessageFields.size();
// Of the longest name, with blanks before its colon (RFC 5322 section 4.5).
constexpr std::size_t kMostName = 16;

constexpr bool Joined(std::size_t field) { return field >= kTo && field <= kBcc; }
constexpr bool Blank(char c) { return c == ' ' || c == '\t'; }
constexpr char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Which of the fields a line begins; kNone for others.
std::size_t FieldOf(std::string_view line) {
  const std::string_view head = line.substr(0, kMostName + 1);
  const std::size_t colon = head.find(':');
  if (colon == std::string_view::npos) return kNone;
  const std::string_view name = TrimBlanks(head.substr(0, colon));
  if (name.empty() || Blank(line.front())) return kNone;
  const char initial = Lower(name.front());
  for (std::size_t field = 0; field < kMessageFields.size(); ++field) {
    const std::string_view known = kMessageFields[field];
    if (known.front() != initial || known.size() != name.size()) continue;
    if (std::equal(name.begin(), name.end(), known.begin(), [](char a, char b) { return Lower(a) == b; })) {
      return field;
    }
  }
  return kNone;
}

// Without its line ends (RFC 5322 section 2.2.3).
void AppendUnfolded(std::string_view value, std::string& into) {
  for (;;) {
    const std::size_t feed = value.find('\n');
    std::string_view line = value.substr(0, feed);
    if (line.ends_with('\r')) line.remove_suffix(1);
    into.append(line);
    if (feed == std::string_view::npos) return;
    value.remove_prefix(feed + 1);
  }
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

void AppendFields(std::string_view header, std::string& lines) {
  std::array<std::string_view, kMessageFields.size()> first{};
  std::array<bool, kMessageFields.size()> there{};
  std::vector<std::pair<std::size_t, std::string_view>> more;
  std::string_view rest = header.substr(0, kMostHeader);
  while (!rest.empty() && rest.front() != '\n' && !rest.starts_with("\r\n")) {
    const std::string_view line = TakeUntil(rest, '\n');
    const std::size_t field = FieldOf(line);
    const char* const end_of_line = line.data() + line.size();
    const char* end = end_of_line;
    while (!rest.empty() && Blank(rest.front())) {
      const std::string_view folded = TakeUntil(rest, '\n');
      end = folded.data() + folded.size();
    }
    if (field == kNone) continue;
    const char* const from = line.data() + line.find(':') + 1;
    const std::string_view value(from, static_cast<std::size_t>(end - from));
    if (!there[field]) {
      there[field] = true;
      first[field] = value;
    } else if (Joined(field)) {
      more.emplace_back(field, value);
    }
  }
  for (std::size_t field = 0; field < kMessageFields.size(); ++field) {
    if (there[field]) {
      lines += ':';
      AppendUnfolded(first[field], lines);
      for (const auto& [of, value] : more) {
        if (of != field) continue;
        lines += ',';
        AppendUnfolded(value, lines);
      }
    }
    lines += '\n';
  }
}

}  // namespace desk
