// What became of an executable whose link says that it was deleted (proc_pid_exe(5)).
#pragma once

#include <cstdint>

#include "core/result.h"

namespace desk {

enum class ExecutableFate : std::uint8_t {
  // No name leads to it any more.
  kUnlinked,
  // Some name does, though not the one it was started by: a link to it, or a layer of a container's image.
  kLinked,
  // Another file bears its name now, in a folder of the system: its package was upgraded.
  kReplaced,
  // Nothing happened: its own name ends in " (deleted)".
  kOwnName,
};

// Looks names up for processes of our own mount namespace, and only where that cannot wait for another
// process: in the kernel's cache (openat2(2), RESOLVE_CACHED), or in folders of the system. A refusal when
// the link itself cannot be read.
Result<ExecutableFate> FateOfExecutable(int root, std::int32_t pid);

}  // namespace desk
