// /proc/PID/cgroup, lines "hierarchy:controllers:path" (cgroups(7)).
#pragma once

#include <string_view>

#include "core/result.h"

namespace desk {

// The path of the unified hierarchy ("0::" line), else of the first line; EBADMSG when there is no such line.
Result<std::string_view> ParseCgroup(std::string_view text);
// The service of the system's manager that a path belongs to: "sshd.service" of
// "/system.slice/ssh.slice/sshd.service". Empty for every other path: below a service, a scope or
// "user@1000.service" the user who owns that group can create groups of any name.
std::string_view SystemService(std::string_view path);
// `path` is relative to the root: "123/cgroup". Valid until this thread reads its next file.
Result<std::string_view> ReadCgroup(int root, const char* path);

}  // namespace desk
