#include "addon/lock_exports.h"

#include <cerrno>
#include <climits>
#include <string>

#include "addon/boundary.h"
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
void ReleaseLock(const Napi::CallbackInfo& info) {
  const auto handle = static_cast<int>(IntegerArgument(info, 0, "lock", 1, INT_MAX));
  if (!Unlock(handle)) {
    throw Napi::RangeError::New(info.Env(), "lock " + std::to_string(handle) + " is not held");
  }
}

// lockHolders(path): number | Refusal
Napi::Value LockHolders(const Napi::CallbackInfo& info) {
  const std::string path = StringArgument(info, 0, "path");
  const Result<std::uint32_t> holders = CountLockHolders(path);
  if (!holders) return RefusalValue(info.Env(), holders.error(), path);
  return Napi::Number::New(info.Env(), *holders);
}

}  // namespace

void ExportLock(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "takeLock", TakeLock);
  ExportFunction(env, exports, "releaseLock", ReleaseLock);
  ExportFunction(env, exports, "lockHolders", LockHolders);
}

}  // namespace desk::addon
