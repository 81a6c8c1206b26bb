// BPF programs see the pids, uids and times of the initial namespaces.
#pragma once

#include <optional>

#include "core/unavailable.h"

namespace desk::bpf {

// The first of the user, pid and time namespaces of this process that is not the initial one: `step` is its
// kind, `error` EXDEV or why it could not be read. Nothing when all three are initial.
std::optional<Unavailable> OutsideInitialNamespaces();

}  // namespace desk::bpf
