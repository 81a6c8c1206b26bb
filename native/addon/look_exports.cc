#include <memory>

#include "addon/boundary.h"
#include "addon/exports.h"
#include "table/process_table.h"
#include "watch/clock.h"
#include "watch/look.h"

namespace desk::addon {
namespace {

// makeLook(): number
Napi::Value MakeLook(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), HandlesOf<Look>().Open(std::make_shared<Look>()));
}

// freeLook(look): void
void FreeLook(const Napi::CallbackInfo& info) { CloseArgument<Look>(info, 0, "look"); }

// lookKeep(look, table, root, holders): void
void KeepLook(const Napi::CallbackInfo& info) {
  Look& look = *HandleArgument<Look>(info, 0, "look");
  const auto table = HandleArgument<ProcessTable>(info, 1, "table");
  // Rows that changed since the last walk differ from the records that looks compare with.
  const bool whole = BooleanArgument(info, 3, "holders", false) && table->IsUnedited();
  look.Keep(RootArgument(info, 2), table, whole);
}

// lookForget(look): void
void ForgetLook(const Napi::CallbackInfo& info) { HandleArgument<Look>(info, 0, "look")->Forget(); }

// lookHolds(look): boolean
Napi::Value HoldsLook(const Napi::CallbackInfo& info) {
  const Look::Found found = HandleArgument<Look>(info, 0, "look")->Compare(bpf::Scheduling::kIgnored);
  return Napi::Boolean::New(info.Env(), found == Look::Found::kSame);
}

// lookCounts(look): LookCounts
Napi::Value CountsOfLook(const Napi::CallbackInfo& info) {
  const Look::Counts counts = HandleArgument<Look>(info, 0, "look")->counts();
  const Napi::Env env = info.Env();
  Napi::Object value = ObjectOf(
      env, {{"held", static_cast<double>(counts.held)}, {"us", static_cast<double>(counts.spent_ns) / 1e3}});
  value.Set("ageMs", counts.last_ns == 0
                         ? env.Null()
                         : Napi::Number::New(env, static_cast<double>(MonotonicNs() - counts.last_ns) / 1e6));
  return value;
}

}  // namespace

void ExportLook(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "makeLook", MakeLook);
  ExportFunction(env, exports, "freeLook", FreeLook);
  ExportFunction(env, exports, "lookKeep", KeepLook);
  ExportFunction(env, exports, "lookForget", ForgetLook);
  ExportFunction(env, exports, "lookHolds", HoldsLook);
  ExportFunction(env, exports, "lookCounts", CountsOfLook);
}

}  // namespace desk::addon
