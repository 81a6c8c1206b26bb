#pragma once

#include <napi.h>

namespace desk::addon {

// watchStart, watchTake, watchCpuUs, watchStop.
void ExportWatch(Napi::Env env, Napi::Object exports);

}  // namespace desk::addon
