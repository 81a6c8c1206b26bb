#include "apt/deb_version.h"

#include <algorithm>
#include <cstddef>

#include "core/text.h"

namespace desk::apt {
namespace {

constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Tildes before the end, the end before letters, letters before everything else.
int Weight(std::string_view rest) {
  if (rest.empty() || IsDigit(rest.front())) return 0;
  const char first = rest.front();
  if (first == '~') return -1;
  const int code = static_cast<unsigned char>(first);
  return IsLetter(first) ? code : code + 256;
}

bool HasText(std::string_view rest) { return !rest.empty() && !IsDigit(rest.front()); }

// The digits at the front, without zeros before them.
std::string_view TakeDigits(std::string_view& rest) {
  const auto other = std::ranges::find_if_not(rest, IsDigit);
  std::string_view digits = rest.substr(0, static_cast<std::size_t>(other - rest.begin()));
  rest.remove_prefix(digits.size());
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

// Text and numbers by turns.
int CompareParts(std::string_view one, std::string_view other) {
  while (!one.empty() || !other.empty()) {
    while (HasText(one) || HasText(other)) {
      if (const int difference = Weight(one) - Weight(other); difference != 0) return difference;
      one.remove_prefix(1);
      other.remove_prefix(1);
    }
    const std::string_view digits = TakeDigits(one);
    const std::string_view others = TakeDigits(other);
    if (digits.size() != others.size()) return digits.size() < others.size() ? -1 : 1;
    if (const int difference = digits.compare(others); difference != 0) return difference;
  }
  return 0;
}

struct Version {
  explicit Version(std::string_view text) : upstream(text) {
    if (const std::size_t at = upstream.find(':'); at != std::string_view::npos) {
      epoch = upstream.substr(0, at);
      upstream.remove_prefix(at + 1);
    }
    if (const std::size_t at = upstream.rfind('-'); at != std::string_view::npos) {
      revision = upstream.substr(at + 1);
      upstream = upstream.substr(0, at);
    }
  }

  std::string_view epoch;
  std::string_view upstream;
  std::string_view revision;
};

}  // namespace

int CompareDebVersions(std::string_view one, std::string_view other) {
  const Version first(one);
  const Version second(other);
  if (const int epochs = CompareParts(first.epoch, second.epoch); epochs != 0) return epochs;
  if (const int upstream = CompareParts(first.upstream, second.upstream); upstream != 0) return upstream;
  return CompareParts(first.revision, second.revision);
}

}  // namespace desk::apt
