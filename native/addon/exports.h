// The exports of the addon: each function sets those of one file.
#pragma once

#include <napi.h>

namespace desk::addon {

void ExportAct(Napi::Env env, Napi::Object& exports);
void ExportBatch(Napi::Env env, Napi::Object& exports);
void ExportBpf(Napi::Env env, Napi::Object& exports);
void ExportForeign(Napi::Env env, Napi::Object& exports);
void ExportHidden(Napi::Env env, Napi::Object& exports);
void ExportHost(Napi::Env env, Napi::Object& exports);
void ExportLock(Napi::Env env, Napi::Object& exports);
void ExportLook(Napi::Env env, Napi::Object& exports);
void ExportMachine(Napi::Env env, Napi::Object& exports);
void ExportMail(Napi::Env env, Napi::Object& exports);
void ExportOwner(Napi::Env env, Napi::Object& exports);
void ExportPrivilege(Napi::Env env, Napi::Object& exports);
void ExportSocket(Napi::Env env, Napi::Object& exports);
void ExportSweep(Napi::Env env, Napi::Object& exports);
void ExportTable(Napi::Env env, Napi::Object& exports);
void ExportTicker(Napi::Env env, Napi::Object& exports);
void ExportVitals(Napi::Env env, Napi::Object& exports);
void ExportWatch(Napi::Env env, Napi::Object& exports);

}  // namespace desk::addon
