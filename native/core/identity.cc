#include "core/identity.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/text.h"

namespace desk {
namespace {

// The one list of interpreters.
constexpr std::array<std::string_view, 40> kInterpreters{
    "ash",  "awk",    "bash",   "bun",  "busybox", "csh",     "dash",  "deno",   "dotnet",  "elixir",
    "erl",  "fish",   "gawk",   "gjs",  "guile",   "ipython", "java",  "jruby",  "julia",   "ksh",
    "lua",  "luajit", "mawk",   "mono", "node",    "nodejs",  "perl",  "php",    "php-cgi", "php-fpm",
    "pypy", "python", "racket", "ruby", "sh",      "tcsh",    "tclsh", "toybox", "wish",    "zsh",
};
static_assert(std::ranges::none_of(kInterpreters, &std::string_view::empty));
static_assert(std::ranges::all_of(kInterpreters, [](std::string_view name) { return name.size() <= 8; }));

// A name of up to eight bytes as one number, so that it is compared with the whole list at once.
constexpr std::uint64_t Pack(std::string_view name) {
  std::uint64_t packed = 0;
  for (std::size_t at = 0; at < name.size(); ++at)
    packed |= std::uint64_t{static_cast<std::uint8_t>(name[at])} << 8 * at;
  return packed;
}

constexpr auto kPacked = [] {
  std::array<std::uint64_t, kInterpreters.size()> packed{};
  std::ranges::transform(kInterpreters, packed.begin(), Pack);
  return packed;
}();

}  // namespace

bool IsInterpreter(std::string_view executable) {
  if (executable.ends_with(kDeletedMark)) executable.remove_suffix(kDeletedMark.size());
  const std::size_t slash = executable.rfind('/');
  std::string_view name = slash == std::string_view::npos ? executable : executable.substr(slash + 1);
  const auto version = [](char c) { return IsDigit(c) || c == '.' || c == '-'; };
  while (!name.empty() && version(name.back())) name.remove_suffix(1);
  // A trailing NUL would pack to the same number as the name without it.
  if (name.empty() || name.size() > 8 || name.back() == '\0') return false;
  const std::uint64_t packed = Pack(name);
  bool found = false;
  for (const std::uint64_t one : kPacked) found |= one == packed;
  return found;
}

void BuildIdentity(const IdentityFacts& facts, std::string& into) {
  into.clear();
  if (facts.executable.empty()) {
    into.append(facts.comm).append(1, '?');
    if (facts.uid)
      into.append(std::to_string(*facts.uid));
    else
      into.append(1, '-');
  } else {
    into.append(facts.executable);
  }
  if (facts.container) into.append("@container");
  if (!facts.executable.empty() && IsInterpreter(facts.executable)) into.append(1, ':').append(facts.comm);
}

}  // namespace desk
