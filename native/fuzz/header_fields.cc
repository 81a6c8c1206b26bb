// The header of a message.
#include "mail/header_fields.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {
namespace {

bool Space(char c) { return std::string_view(" \t\n\v\f\r").find(c) != std::string_view::npos; }

// Character by character.
std::string SlowCollapsed(const std::string& text) {
  std::string collapsed;
  for (const char c : text)
    if (!Space(c))
      collapsed += c;
    else if (!collapsed.empty() && collapsed.back() != ' ')
      collapsed += ' ';
  if (collapsed.ends_with(' ')) collapsed.pop_back();
  return collapsed;
}

// A line for each field: a colon and the collapsed value if it exists.
std::string Lines(const HeaderFields& fields) {
  std::string lines;
  for (std::size_t at = 0; at < kMessageFields.size(); ++at) {
    const auto field = static_cast<Field>(at);
    if (fields.Has(field)) lines += ':';
    fields.AppendTo(lines, field);
    lines += '\n';
  }
  return lines;
}

// The same, line by line, with everything copied.
std::string SlowFields(std::string text) {
  text.resize(std::min(text.size(), kMostHeader));
  struct Unfolded {
    std::string text;
    // Length of its first line, which has the name.
    std::size_t first;
  };
  std::vector<Unfolded> unfolded;
  while (!text.empty() && text[0] != '\n' && text.rfind("\r\n", 0) != 0) {
    const std::size_t feed = std::min(text.find('\n'), text.size());
    std::string line = text.substr(0, feed);
    text.erase(0, feed + 1);
    const bool folds = !line.empty() && (line[0] == ' ' || line[0] == '\t') && !unfolded.empty();
    if (folds)
      unfolded.back().text += "\n" + line;
    else
      unfolded.push_back({line, line.size()});
  }
  std::map<std::string, std::string> values;
  for (const auto& [line, first] : unfolded) {
    const std::size_t colon = line.find(':');
    if (colon > 16 || colon >= first) continue;
    std::string name = line.substr(0, colon);
    while (name.ends_with(' ') || name.ends_with('\t')) name.pop_back();
    if (name.starts_with(' ') || name.starts_with('\t')) continue;
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    const std::string value = SlowCollapsed(line.substr(colon + 1));
    const auto [at, fresh] = values.try_emplace(name, value);
    if (!fresh && (name == "to" || name == "cc" || name == "bcc")) at->second += "," + value;
  }
  std::string lines;
  for (const std::string_view name : kMessageFields) {
    const auto at = values.find(std::string(name));
    if (at != values.end()) lines += ":" + at->second;
    lines += '\n';
  }
  return lines;
}

}  // namespace

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string_view text = TextOf(input);
  HeaderFields fields;
  // What was found before changes nothing.
  fields.Find("From: a\nTo: b\nTo: c\nReceived: d\n");
  fields.Find(text);
  const std::string lines = Lines(fields);
  Ensure(static_cast<std::size_t>(std::ranges::count(lines, '\n')) == kMessageFields.size());
  Ensure(lines == SlowFields(std::string(text)));
  const std::size_t end = HeaderEnd(text);
  const std::size_t plain = text.find("\n\n");
  const std::size_t carried = text.find("\n\r\n");
  if (end == std::string_view::npos) return Ensure(plain == end && carried == end);
  Ensure(end == std::min(plain == std::string_view::npos ? plain : plain + 2,
                         carried == std::string_view::npos ? carried : carried + 3));
  // What follows the header changes nothing.
  fields.Find(text.substr(0, end));
  Ensure(lines == Lines(fields) || text.starts_with('\n') || text.starts_with("\r\n") || end > kMostHeader);
}

}  // namespace desk::fuzz
