// Exports about the holders of sockets.
#pragma once

#include <napi.h>

namespace desk::addon {

void ExportOwner(Napi::Env env, Napi::Object& exports);

}  // namespace desk::addon
