// The reference of confinement: an unconfined process of this machine, as seen through a proc root.
#pragma once

#include "core/root.h"
#include "core/wrap.h"

namespace desk {

// "fixed", "pid 2", "pid 1", "self" or "unknown".
const char* SourceName(ReferenceSource source);

// Reads the reference and stores it in the root. Per namespace: the kernel's fixed initial number, else
// that of pid 2 when it is a kernel thread, else of pid 1, else our own. The bounding set comes from the same
// processes.
Reference ReadReference(Root& root);

// The reference stored in the root; reads it when there is none yet.
Reference KeptReference(Root& root);

}  // namespace desk
