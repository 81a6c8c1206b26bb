#include "addon/signal_exports.h"

#include <cerrno>
#include <csignal>

#include "addon/boundary.h"

namespace desk::addon {
namespace {

// ignoreSigusr1(): null | Refusal
Napi::Value IgnoreSigusr1(const Napi::CallbackInfo& info) {
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  if (sigaction(SIGUSR1, &ignore, nullptr) != 0) return RefusalValue(info.Env(), errno, "sigaction");
  return info.Env().Null();
}

}  // namespace

void ExportSignal(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "ignoreSigusr1", IgnoreSigusr1);
}

}  // namespace desk::addon
