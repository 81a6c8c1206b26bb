// The stages of the sweeps for hidden processes and hidden ports.
#pragma once

#include <napi.h>

namespace desk::addon {

void ExportHidden(Napi::Env env, Napi::Object& exports);

}  // namespace desk::addon
