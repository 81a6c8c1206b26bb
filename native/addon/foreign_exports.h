// networkNamespaces, listenersOf.
#pragma once

#include <napi.h>

namespace desk::addon {

void ExportForeign(Napi::Env env, Napi::Object& exports);

}  // namespace desk::addon
