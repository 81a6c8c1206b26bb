// listSockets, peerUid, limitBuffers and acceptConnections.
#pragma once

#include <napi.h>

namespace desk::addon {

void ExportSocket(Napi::Env env, Napi::Object& exports);

}  // namespace desk::addon
