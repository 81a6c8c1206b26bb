// Thread-group leaders: the numeric entries of a proc root (proc_pid(5)).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/result.h"

namespace desk {

// Writes as many pids as fit, ascending; the value counts all of them. If it is larger than `into`: call
// again with more room.
Result<std::uint32_t> ListPids(int root, std::span<std::int32_t> into);

// All of them, ascending, into a vector that grows as needed; the errno of a refusal, which leaves it empty.
int ListAllPids(int root, std::vector<std::int32_t>& pids);

// Whether the pids of a root are those of our own system calls: it is a proc file system, and its "self" is
// our pid, which in another pid namespace would be a coincidence.
bool HasOurPids(int root);

}  // namespace desk
