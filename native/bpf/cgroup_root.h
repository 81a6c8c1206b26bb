// The root of the cgroup v2 hierarchy (Documentation/admin-guide/cgroup-v2.rst): programs attached there run
// for every process.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/fd.h"
#include "core/result.h"

namespace desk::bpf {

inline constexpr std::size_t kMostCgroupMounts = 64;

// Where cgroup v2 is mounted according to the text of mountinfo (proc_pid_mountinfo(5)), in its order, at
// most kMostCgroupMounts. In hybrid mode it is beside the hierarchies of version 1.
std::vector<std::string> CgroupMounts(std::string_view text);

// The folder of the real root, open for reading. ENOENT: no cgroup v2 is mounted here. EXDEV: each mount
// shows another cgroup, as in a container or a cgroup namespace, and hooks there miss processes.
Result<Fd> OpenCgroupRoot();

}  // namespace desk::bpf
