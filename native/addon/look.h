// Looks as arguments.
#pragma once

#include <memory>

#include "addon/boundary.h"
#include "watch/look.h"

namespace desk::addon {

// The look of argument `index`; null where there is none.
inline std::shared_ptr<Look> LookArgument(const Napi::CallbackInfo& info, std::size_t index) {
  if (info[index].IsNull() || info[index].IsUndefined()) return {};
  return HandleArgument<Look>(info, index, "look");
}

}  // namespace desk::addon
