// /proc/PID/environ in pieces.
#include <algorithm>
#include <string>

#include "fuzz/support/fuzz.h"
#include "peek/environment.h"

namespace desk::fuzz {
namespace {

// The same, with everything in memory.
LoaderEnvironment::Value LastSetting(std::string_view text, std::string_view name) {
  LoaderEnvironment::Value value;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    const std::string_view setting = text.substr(0, end);
    if (setting.starts_with(name) && setting.substr(name.size()).starts_with('=')) {
      const std::string_view all = setting.substr(name.size() + 1);
      const std::string_view found = all.substr(0, kMostLoaderValue);
      if (found.size() < all.size() || (!all.empty() && !value.text.empty() && value.text != found))
        value.whole = false;
      if (!found.empty()) value.text = found;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return value;
}

}  // namespace

void FuzzOne(std::span<const std::uint8_t> input) {
  Taker taker(input);
  const std::size_t piece = taker.Take<std::uint8_t>() + 1U;
  const std::string_view text = TextOf(taker.rest());
  LoaderEnvironment environment;
  for (std::size_t at = 0; at < text.size(); at += piece) environment.Take(text.substr(at, piece));
  environment.End();
  for (std::size_t at = 0; at < kLoaderVariables.size(); ++at) {
    const LoaderEnvironment::Value wanted = LastSetting(text, kLoaderVariables[at]);
    Ensure(environment.value(at).text == wanted.text && environment.value(at).whole == wanted.whole);
  }
}

}  // namespace desk::fuzz
