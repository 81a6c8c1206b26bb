// A proc of our own: mounted nowhere, so that nothing can be mounted over its folders.
#pragma once

#include "core/fd.h"
#include "core/result.h"

namespace desk {

// A new proc of our pid namespace behind a descriptor, without a place in any tree: fsopen(2), fsmount(2).
// Each has options of its own since 5.8, so the machine's /proc is not touched. Needs CAP_SYS_ADMIN.
Result<Fd> OpenFreshProc();

}  // namespace desk
