// Children of this process that node does not know, since desk-start has started them.
#pragma once

#include <sys/types.h>

#include <optional>

#include "core/result.h"

namespace desk {

struct ChildEnd {
  // Of one that exited.
  int code = 0;
  // Of one that was ended by a signal; else 0.
  int signal = 0;
};

// How a child ended, whose pid is free from then on; nothing while it lives. ECHILD when it is none of ours.
Result<std::optional<ChildEnd>> ReapChild(pid_t pid);
// SIGKILL to a child that is not reaped yet; 0 or an errno, ECHILD when it is none of ours.
int KillChild(pid_t pid);

}  // namespace desk
