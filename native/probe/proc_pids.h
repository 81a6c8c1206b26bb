// Thread-group leaders: the numeric entries of a proc root (proc_pid(5)).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/result.h"

namespace desk {

// Writes as many pids as fit, ascending; the value counts all of them. More than `into` holds: grow and ask
// again.
Result<std::uint32_t> ListPids(int root, std::span<std::int32_t> into);

// All of them, ascending, into a vector that grows as need be; the errno of a refusal, which leaves it empty.
int ListAllPids(int root, std::vector<std::int32_t>& pids);

// Whether the pids of a root are those that our own system calls mean: it is a proc file system, and its
// "self" is our number, which could only by chance be so in another pid namespace.
bool HasOurPids(int root);

}  // namespace desk
