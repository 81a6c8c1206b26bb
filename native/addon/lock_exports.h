// lockFile, unlockFile and lockHolders.
#pragma once

#include <napi.h>

namespace desk::addon {

void ExportLock(Napi::Env env, Napi::Object& exports);

}  // namespace desk::addon
