// /proc/sys/kernel/tainted (Documentation/admin-guide/tainted-kernels.rst).
#pragma once

#include <cstdint>

#include "core/result.h"

namespace desk {

// The bits; EBADMSG when the file holds no number.
Result<std::uint64_t> ReadKernelTaint(int root);

}  // namespace desk
