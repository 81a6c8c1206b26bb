// derive, compileBatch, freeBatch, runBatch and runBatchReference.
#pragma once

#include <napi.h>

namespace desk::addon {

void ExportBatch(Napi::Env env, Napi::Object& exports);

}  // namespace desk::addon
