// Why a source of events cannot be had here.
#pragma once

#include <string>

namespace desk {

struct Unavailable {
  int error = 0;     // errno; 0 when `step` says it all
  std::string step;  // what was tried; "" = the source is there
  bool empty() const { return step.empty(); }
};

}  // namespace desk
