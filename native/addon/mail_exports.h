// messageFieldNames and MessageReader.
#pragma once

#include <napi.h>

namespace desk::addon {

void ExportMail(Napi::Env env, Napi::Object& exports);

}  // namespace desk::addon
