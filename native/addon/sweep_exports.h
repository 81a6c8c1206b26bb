#pragma once

#include <napi.h>

namespace desk::addon {

// openRoot, closeRoot, reference, listProcesses, sweepShard, rereadRows, carryRows, hashIdentity, identityOf.
void ExportSweep(Napi::Env env, Napi::Object exports);

}  // namespace desk::addon
