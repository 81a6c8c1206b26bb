// /proc/PID/exe, proc_pid_exe(5): the link's text, raw, " (deleted)" of an unlinked file included.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/result.h"

namespace desk {

// ENOENT for processes without an executable. Valid until this thread reads its next link.
Result<std::string_view> ReadExecutable(int root, std::int32_t pid);

}  // namespace desk
