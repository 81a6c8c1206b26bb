// Thread-group leaders: the numeric entries of a proc root (proc_pid(5)).
#pragma once

#include <cstdint>
#include <span>

#include "core/result.h"

namespace desk {

// Writes as many pids as fit, ascending; the value counts all of them. More than `into` holds: grow and ask
// again.
Result<std::uint32_t> ListPids(int root, std::span<std::int32_t> into);

}  // namespace desk
