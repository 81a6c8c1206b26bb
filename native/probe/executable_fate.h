// What happened to an executable whose link says that it was deleted (proc_pid_exe(5)).
#pragma once

#include <cstdint>

#include "core/result.h"

namespace desk {

enum class ExecutableFate : std::uint8_t {
  // It has no name any more.
  kUnlinked,
  // It has another name than the one it was started by: a link, or a layer of a container image.
  kLinked,
  // Another file has its name now, in a system folder: its package was upgraded.
  kReplaced,
  // It still exists: its own name ends in " (deleted)".
  kOwnName,
};

// Resolves names only for processes of our own mount namespace, and only where that cannot block: in the
// kernel's cache (openat2(2), RESOLVE_CACHED), or in system folders. A refusal when the link itself cannot be
// read.
Result<ExecutableFate> FateOfExecutable(int root, std::int32_t pid);

}  // namespace desk
