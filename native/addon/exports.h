// The exports of the addon: each function sets those of one part.
#pragma once

#include <napi.h>

namespace desk::addon {

// Held processes and signals to them, the quarantine: everything that changes something outside of the desk.
void ExportAct(Napi::Env env, Napi::Object& exports);
// Derived columns and compiled programs of checks.
void ExportBatch(Napi::Env env, Napi::Object& exports);
// The BPF task iterator.
void ExportBpf(Napi::Env env, Napi::Object& exports);
// Listeners in other network namespaces.
void ExportForeign(Napi::Env env, Napi::Object& exports);
// Stages of the searches for hidden processes and hidden ports.
void ExportHidden(Napi::Env env, Napi::Object& exports);
// Facts of the host that are read rarely.
void ExportHost(Napi::Env env, Napi::Object& exports);
// File locks.
void ExportLock(Napi::Env env, Napi::Object& exports);
// Counters, sensors and capture devices of the machine.
void ExportMachine(Napi::Env env, Napi::Object& exports);
// Message headers.
void ExportMail(Napi::Env env, Napi::Object& exports);
// Holders of sockets.
void ExportOwner(Napi::Env env, Napi::Object& exports);
// Privileges that the desk gives up, and the programs it starts.
void ExportPrivilege(Napi::Env env, Napi::Object& exports);
// Sockets: dumps, peers, accepted connections.
void ExportSocket(Napi::Env env, Napi::Object& exports);
// Proc roots and the process table.
void ExportSweep(Napi::Env env, Napi::Object& exports);
// The watch thread.
void ExportWatch(Napi::Env env, Napi::Object& exports);

}  // namespace desk::addon
