// Everything that touches something: held processes and their signals, the quarantine.
#pragma once

#include <napi.h>

namespace desk::addon {

void ExportAct(Napi::Env env, Napi::Object& exports);

}  // namespace desk::addon
