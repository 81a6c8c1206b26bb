// /proc/PID/ns/*, links like "user:[4026531837]" (namespaces(7), proc_pid_ns(5)).
#pragma once

#include <cstdint>
#include <string_view>

#include "core/result.h"

namespace desk {

// The namespace's inode number; EBADMSG when the link is not one of the given kind.
Result<std::uint32_t> ParseNamespace(std::string_view link, std::string_view kind);
// `path` is relative to the root: "123/ns/user".
Result<std::uint32_t> ReadNamespace(int root, const char* path, std::string_view kind);

}  // namespace desk
