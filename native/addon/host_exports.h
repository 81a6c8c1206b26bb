// host, executableFates, kernelTaint, moduleViews, strangeNodes.
#pragma once

#include <napi.h>

namespace desk::addon {

void ExportHost(Napi::Env env, Napi::Object& exports);

}  // namespace desk::addon
