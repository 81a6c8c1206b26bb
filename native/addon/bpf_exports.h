// JavaScript's door to the task iterator.
#pragma once

#include <napi.h>

namespace desk::addon {

void ExportBpf(Napi::Env env, Napi::Object exports);

}  // namespace desk::addon
