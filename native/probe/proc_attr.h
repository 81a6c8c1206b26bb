// /proc/PID/attr/current, the label of the first major security module (proc_pid_attr(5)).
#pragma once

#include <string_view>

#include "core/result.h"
#include "core/root.h"

namespace desk {

// Whether a label confines its process: AppArmor "profile (enforce)"; SELinux user:role:type:level with an
// enforcing policy and a type other than unconfined*, kernel_t, initrc_t.
bool ParseLabel(std::string_view label, bool selinux_enforcing);

// Reads labels of one root during one sweep.
class LabelReader {
 public:
  explicit LabelReader(Root& root) : root_(root) {}

  // False when no security module provides labels: checked once per root (EINVAL: none does; ENOENT: no such
  // file).
  bool present();
  // Whether the label of a process or thread confines it; `path` is relative to the root: "123/attr/current".
  Result<bool> Confines(const char* path);

 private:
  bool SelinuxEnforcing();

  Root& root_;
  int enforcing_ = -1;
};

}  // namespace desk
