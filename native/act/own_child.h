// Children of this process that node does not know: desk-start has started them.
#pragma once

#include <sys/types.h>

#include <optional>

#include "core/result.h"

namespace desk {

struct ChildEnd {
  // Of one that exited.
  int code = 0;
  // The signal that ended it; else 0.
  int signal = 0;
};

// Reaps a child; how it ended, nothing while it is alive. ECHILD when it is not our child.
Result<std::optional<ChildEnd>> ReapChild(pid_t pid);
// SIGKILL to a child that is not reaped yet; 0 or an errno, ECHILD when it is not our child.
int KillChild(pid_t pid);

}  // namespace desk
