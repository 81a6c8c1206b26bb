// What the desk gives up, and how it starts its other programs.
#pragma once

#include <napi.h>

namespace desk::addon {

void ExportPrivilege(Napi::Env env, Napi::Object& exports);

}  // namespace desk::addon
