#include <cerrno>
#include <string>

#include "addon/boundary.h"
#include "addon/exports.h"
#include "probe/locks.h"

namespace desk::addon {
namespace {

// takeLock(path): number | Refusal
Napi::Value TakeLock(const Napi::CallbackInfo& info) {
  const std::string path = StringArgument(info, 0, "path");
  const Result<int> handle = Lock(path);
  if (handle) return Napi::Number::New(info.Env(), *handle);
  Napi::Object refusal = RefusalValue(info.Env(), handle.error(), path);
  // The number has two names on Linux; flock(2) means this one.
  if (handle.error() == EWOULDBLOCK) refusal.Set("code", "EWOULDBLOCK");
  return refusal;
}

// releaseLock(lock)
void ReleaseLock(const Napi::CallbackInfo& info) { CloseArgument<HeldLock>(info, 0, "lock"); }

// lockHolders(path): number | Refusal
Napi::Value LockHolders(const Napi::CallbackInfo& info) {
  const std::string path = StringArgument(info, 0, "path");
  return ValueOr(info.Env(), CountLockHolders(path), path);
}

}  // namespace

void ExportLock(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "takeLock", TakeLock);
  ExportFunction(env, exports, "releaseLock", ReleaseLock);
  ExportFunction(env, exports, "lockHolders", LockHolders);
}

}  // namespace desk::addon
