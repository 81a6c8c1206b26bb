#include "probe/proc_cgroup.h"

#include <optional>

#include "core/read.h"
#include "core/text.h"

namespace desk {

Result<std::string_view> ParseCgroup(std::string_view text) {
  std::optional<std::string_view> first;
  while (!text.empty()) {
    std::string_view path = TakeUntil(text, '\n');
    const std::string_view hierarchy = TakeUntil(path, ':');
    const std::string_view controllers = TakeUntil(path, ':');
    if (!path.starts_with('/')) continue;
    if (hierarchy == "0" && controllers.empty()) return path;
    if (!first) first = path;
  }
  if (!first) return Errno{EBADMSG};
  return *first;
}

std::string_view SystemService(std::string_view path) {
  constexpr std::string_view kSystem = "/system.slice/";
  if (!path.starts_with(kSystem)) return {};
  path.remove_prefix(kSystem.size());
  // A slice is never given away (Delegate= of systemd.resource-control(5)).
  while (path.find('/') != std::string_view::npos)
    if (!TakeUntil(path, '/').ends_with(".slice")) return {};
  return path.ends_with(".service") ? path : std::string_view();
}

Result<std::string_view> ReadCgroup(int root, const char* path) {
  return ReadRecord(root, path).AndThen(ParseCgroup);
}

}  // namespace desk
