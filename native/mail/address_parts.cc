#include "mail/address_parts.h"

#include <algorithm>
#include <cstddef>

#include "core/text.h"

namespace desk {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// Characters up to the next question mark, all of them printable ASCII.
std::size_t WordPart(std::string_view text) {
  const std::size_t mark = text.find('?');
  if (mark == kNone || !std::ranges::all_of(text.substr(0, mark), [](char c) { return c > ' ' && c <= '~'; }))
    return kNone;
  return mark;
}

// Length of the encoded word at the front: =?charset?encoding?text?=; npos when there is none.
std::size_t EncodedWord(std::string_view text) {
  std::size_t at = 2;
  const std::size_t charset = WordPart(text.substr(at));
  if (charset == kNone || charset == 0) return kNone;
  at += charset + 1;
  constexpr std::string_view kEncodings = "bBqQ";
  if (text.size() < at + 2 || kEncodings.find(text[at]) == kNone || text[at + 1] != '?') return kNone;
  at += 2;
  const std::size_t encoded = WordPart(text.substr(at));
  if (encoded == kNone || !text.substr(at + encoded).starts_with("?=")) return kNone;
  return at + encoded + 2;
}

// Length of the text at the front up to `close`; npos when it contains one of `stops`.
std::size_t Enclosed(std::string_view text, char close, std::string_view stops) {
  for (std::size_t at = 1; at < text.size();) {
    if (text[at] == close) return at + 1;
    if (stops.find(text[at]) != kNone) return kNone;
    const std::size_t word = text.substr(at).starts_with("=?") ? EncodedWord(text.substr(at)) : 1;
    if (word == kNone) return kNone;
    at += word;
  }
  return kNone;
}

// Length of the unit at the front; npos when the list is too complex.
std::size_t Whole(std::string_view text) {
  switch (text.front()) {
    case '"': return Enclosed(text, '"', "\\");
    case '(': return Enclosed(text, ')', "(\"\\");
    case '<': return Enclosed(text, '>', ",<\"()\\:;");
    case ')':
    case '\\':
    case ':':
    case ';': return kNone;
    default: return text.starts_with("=?") ? EncodedWord(text) : 1;
  }
}

}  // namespace

void DivideAddresses(std::string_view list, std::vector<std::string_view>& parts) {
  parts.clear();
  const auto add = [&parts](std::string_view part) {
    part = TrimBlanks(part);
    if (!part.empty()) parts.push_back(part);
  };
  std::size_t begin = 0;
  for (std::size_t at = 0; at < list.size();) {
    if (list[at] == ',') {
      add(list.substr(begin, at - begin));
      begin = at + 1;
    }
    const std::size_t whole = Whole(list.substr(at));
    if (whole == kNone) {
      parts.clear();
      return add(list);
    }
    at += whole;
  }
  add(list.substr(begin));
}

}  // namespace desk
