// Why a source of events is not available.
#pragma once

#include <string>

#include "core/errno_name.h"

namespace desk {

struct Unavailable {
  int error = 0;     // errno; 0 when `step` is the whole reason
  std::string step;  // what failed; "" = the source is available
  bool empty() const { return step.empty(); }
};

// "" when the source is available.
inline std::string MessageOf(const Unavailable& reason) {
  if (reason.error == 0) return reason.step;
  return reason.step + ": the kernel refuses (" + ErrnoName(reason.error) + ")";
}

}  // namespace desk
