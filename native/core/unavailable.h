// Why a source of events is not available.
#pragma once

#include <string>

namespace desk {

struct Unavailable {
  int error = 0;     // errno; 0 when `step` is the whole reason
  std::string step;  // what failed; "" = the source is available
  bool empty() const { return step.empty(); }
};

}  // namespace desk
