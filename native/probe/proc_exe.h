// /proc/PID/exe, proc_pid_exe(5): the link's text, raw, " (deleted)" of an unlinked file included.
#pragma once

#include <string_view>

#include "core/result.h"

namespace desk {

// `path` is relative to the root: "123/exe". ENOENT for processes without an executable. Valid until this
// thread reads its next link.
Result<std::string_view> ReadExecutable(int root, const char* path);

}  // namespace desk
