#include <memory>

#include "addon/boundary.h"
#include "addon/exports.h"
#include "addon/waker.h"
#include "table/process_table.h"
#include "watch/clock.h"
#include "watch/look.h"
#include "watch/ticker.h"

namespace desk::addon {
namespace {

constexpr std::int64_t kMostTickMs = 3'600'000;

using Tickers = Wakers<Ticker>;

// makeLook(): number
Napi::Value MakeLook(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), HandlesOf<Look>().Open(std::make_shared<Look>()));
}

// freeLook(look): void
void FreeLook(const Napi::CallbackInfo& info) { CloseArgument<Look>(info, 0, "look"); }

// lookArm(look, table, root): boolean
Napi::Value ArmLook(const Napi::CallbackInfo& info) {
  Look& look = *HandleArgument<Look>(info, 0, "look");
  const ProcessTable& table = *HandleArgument<ProcessTable>(info, 1, "table");
  const auto root = RootArgument(info, 2);
  const bool armed = table.IsUnedited();
  if (armed)
    look.Arm(root, table);
  else
    look.Disarm();
  return Napi::Boolean::New(info.Env(), armed);
}

// lookDisarm(look): void
void DisarmLook(const Napi::CallbackInfo& info) { HandleArgument<Look>(info, 0, "look")->Disarm(); }

// lookHolds(look): boolean
Napi::Value HoldsLook(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), HandleArgument<Look>(info, 0, "look")->Holds());
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

// tickerStart(periodMs, tick, look | null): number | Refusal
Napi::Value StartTicker(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto period_ms = IntegerArgument<std::int64_t>(info, 0, "periodMs", 1, kMostTickMs);
  if (!info[1].IsFunction()) throw Napi::TypeError::New(env, "tick must be a function");
  std::function<bool()> holds;
  if (!info[2].IsNull()) holds = [look = HandleArgument<Look>(info, 2, "look")] { return look->Holds(); };
  auto waker = std::make_shared<Waker<Ticker>>(env, info[1].As<Napi::Function>(), "desk-ticker");
  // The thread ends before the waker does.
  const auto ring = [raw = waker.get()] {
    raw->call().NonBlockingCall([raw](Napi::Env, Napi::Function tick) {
      if (raw->source() != nullptr) raw->source()->Take();
      tick.Call({});
    });
  };
  Result<std::unique_ptr<Ticker>> ticker = Ticker::Start(period_ms * 1'000'000, ring, std::move(holds));
  if (!ticker) {
    waker->Stop();
    return RefusalValue(env, ticker.error(), "ticker");
  }
  waker->Keep(env, std::move(*ticker));
  return Napi::Number::New(env, Tickers::Of(info).handles.Open(waker));
}

// tickerStop(ticker): void
void StopTicker(const Napi::CallbackInfo& info) {
  CloseArgument(info, 0, "ticker", Tickers::Of(info).handles)->Release(info.Env());
}

}  // namespace

void ExportTicker(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "makeLook", MakeLook);
  ExportFunction(env, exports, "freeLook", FreeLook);
  ExportFunction(env, exports, "lookArm", ArmLook);
  ExportFunction(env, exports, "lookDisarm", DisarmLook);
  ExportFunction(env, exports, "lookHolds", HoldsLook);
  ExportFunction(env, exports, "lookCounts", CountsOfLook);
  auto* const tickers = LiveUntilEnd(env, new Tickers);
  exports.Set("tickerStart", Napi::Function::New(env, StartTicker, "tickerStart", tickers));
  exports.Set("tickerStop", Napi::Function::New(env, StopTicker, "tickerStop", tickers));
}

}  // namespace desk::addon
