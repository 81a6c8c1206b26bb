// The kernel's modules, seen twice: /proc/modules (proc_modules(5)) and /sys/module, where loaded ones have
// an initstate and built-in ones have none (Documentation/ABI/stable/sysfs-module, kernel/module/sysfs.c).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace desk {

struct Module {
  std::string name;
  // Neither loading nor unloading.
  bool live = false;
};

// By name. EBADMSG for a malformed line.
Result<std::vector<Module>> ParseModules(std::string_view text);

struct ModuleViews {
  // Live in one view and missing in the other, by name.
  std::vector<std::string> only_listed;
  std::vector<std::string> only_in_sys;
  // Live modules in both views.
  std::uint32_t both = 0;
};

// `root` is a proc root, `sys` the path of /sys. A kernel without modules has none in either view.
Result<ModuleViews> ReadModuleViews(int root, const std::string& sys);

// The bits of /proc/sys/kernel/tainted (Documentation/admin-guide/tainted-kernels.rst); EBADMSG when the file
// holds no number.
Result<std::uint64_t> ReadKernelTaint(int root);

}  // namespace desk
