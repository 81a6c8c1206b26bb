// Splitting of address lists, compared with a slow implementation.
#include "mail/address_parts.h"

#include <regex>
#include <string>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {
namespace {

std::string Trimmed(const std::string& text) {
  const std::size_t from = text.find_first_not_of(" \t");
  if (from == std::string::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

// Length of the encoded word at a place; 0 without one.
std::size_t SlowWord(const std::string& text, std::size_t at) {
  static const std::regex word(R"(=\?[!->@-~]+\?[bBqQ]\?[!->@-~]*\?=)");
  std::smatch found;
  const auto from = text.begin() + static_cast<std::ptrdiff_t>(at);
  const bool there = std::regex_search(from, text.end(), found, word, std::regex_constants::match_continuous);
  return there ? static_cast<std::size_t>(found.length()) : 0;
}

std::vector<std::string> SlowParts(const std::string& list) {
  std::vector<std::string> whole;
  if (!Trimmed(list).empty()) whole.push_back(Trimmed(list));
  std::vector<std::string> parts(1);
  char within = 0;
  for (std::size_t at = 0; at < list.size();) {
    const char c = list[at];
    std::size_t length = 1;
    if (list.compare(at, 2, "=?") == 0) {
      length = SlowWord(list, at);
      if (length == 0) return whole;
    } else if (c == '\\' || (within == '(' && (c == '(' || c == '"')) ||
               (within == '<' && std::string_view(",<\"():;").find(c) != std::string_view::npos)) {
      return whole;
    } else if (within == 0) {
      if (c == ')' || c == ':' || c == ';') return whole;
      if (c == '"' || c == '(' || c == '<') within = c;
    } else if ((within == '"' && c == '"') || (within == '(' && c == ')') || (within == '<' && c == '>')) {
      within = 0;
    }
    if (within == 0 && c == ',')
      parts.emplace_back();
    else
      parts.back().append(list, at, length);
    at += length;
  }
  if (within != 0) return whole;
  std::vector<std::string> trimmed;
  for (const std::string& part : parts)
    if (!Trimmed(part).empty()) trimmed.push_back(Trimmed(part));
  return trimmed;
}

}  // namespace

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string_view list = TextOf(input.first(std::min<std::size_t>(input.size(), 4096)));
  std::vector<std::string_view> parts = {"of before"};
  DivideAddresses(list, parts);
  for (const std::string_view part : parts) Ensure(Inside(part, list));
  const std::vector<std::string> slow = SlowParts(std::string(list));
  Ensure(std::vector<std::string>(parts.begin(), parts.end()) == slow);
}

}  // namespace desk::fuzz
