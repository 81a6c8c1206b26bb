// A private proc that is mounted nowhere, so that nothing can be mounted over its folders.
#pragma once

#include "core/fd.h"
#include "core/result.h"

namespace desk {

// A detached mount of proc for our pid namespace: fsopen(2), fsmount(2). Since 5.8 each has its own options,
// so the machine's /proc is not affected. Needs CAP_SYS_ADMIN.
Result<Fd> OpenFreshProc();

}  // namespace desk
