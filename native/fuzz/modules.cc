// /proc/modules.
#include "probe/modules.h"

#include <algorithm>
#include <cerrno>
#include <string>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string_view text = TextOf(input);
  const auto modules = ParseModules(text);
  if (!modules) return Ensure(modules.error() == EBADMSG);
  Ensure(std::ranges::is_sorted(*modules, {}, &Module::name));
  for (const Module& module : *modules) {
    Ensure(!module.name.empty() && text.find(module.name) != std::string_view::npos);
    Ensure(!module.live || text.find("Live") != std::string_view::npos);
  }
}

}  // namespace desk::fuzz
