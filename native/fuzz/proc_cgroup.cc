// /proc/PID/cgroup.
#include "probe/proc_cgroup.h"

#include <string>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string_view text = TextOf(input);
  const Result<std::string_view> path = ParseCgroup(text);
  // The unified hierarchy takes precedence, wherever it is.
  const std::string unified = "0::/first\n" + std::string(text);
  const Result<std::string_view> first = ParseCgroup(unified);
  Ensure(first.ok() && *first == "/first");
  if (!path) return Ensure(path.error() == EBADMSG);
  Ensure(Inside(*path, text));
  Ensure(path->starts_with('/'));
  Ensure(path->find('\n') == std::string_view::npos);
  const std::string_view service = SystemService(*path);
  Ensure(service.empty() || (Inside(service, *path) && service.ends_with(".service") &&
                             service.find('/') == std::string_view::npos));
}

}  // namespace desk::fuzz
