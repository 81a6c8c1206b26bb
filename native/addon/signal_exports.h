// ignoreSigusr1.
#pragma once

#include <napi.h>

namespace desk::addon {

void ExportSignal(Napi::Env env, Napi::Object& exports);

}  // namespace desk::addon
