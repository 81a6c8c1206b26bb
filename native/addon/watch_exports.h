#pragma once

#include <napi.h>

namespace desk::addon {

// watchStart, watchTake, watchSaw, watchCpuUs, watchStop.
void ExportWatch(Napi::Env env, Napi::Object exports);

}  // namespace desk::addon
