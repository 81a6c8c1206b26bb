// Looks as arguments.
#pragma once

#include <functional>

#include "addon/boundary.h"
#include "watch/look.h"

namespace desk::addon {

// Whether the look of argument `index` holds; nothing where there is none.
inline std::function<bool()> LookArgument(const Napi::CallbackInfo& info, std::size_t index,
                                          bpf::Scheduling scheduling) {
  if (info[index].IsNull() || info[index].IsUndefined()) return {};
  return [look = HandleArgument<Look>(info, index, "look"), scheduling] { return look->Holds(scheduling); };
}

}  // namespace desk::addon
