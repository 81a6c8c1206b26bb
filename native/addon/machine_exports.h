// machine.
#pragma once

#include <napi.h>

namespace desk::addon {

void ExportMachine(Napi::Env env, Napi::Object& exports);

}  // namespace desk::addon
