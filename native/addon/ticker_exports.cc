#include <memory>

#include "addon/boundary.h"
#include "addon/exports.h"
#include "addon/look.h"
#include "addon/waker.h"
#include "watch/ticker.h"

namespace desk::addon {
namespace {

constexpr std::int64_t kMostTickMs = 3'600'000;

using Tickers = Wakers<Ticker>;

// tickerStart(periodMs, tick, look?): number | Refusal
Napi::Value StartTicker(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto period_ms = IntegerArgument<std::int64_t>(info, 0, "periodMs", 1, kMostTickMs);
  if (!info[1].IsFunction()) throw Napi::TypeError::New(env, "tick must be a function");
  auto waker = std::make_shared<Waker<Ticker>>(env, info[1].As<Napi::Function>(), "desk-ticker");
  // The thread ends before the waker does.
  const auto ring = [raw = waker.get()] {
    raw->call().NonBlockingCall([raw](Napi::Env, Napi::Function tick) {
      if (raw->source() != nullptr) raw->source()->Take();
      tick.Call({});
    });
  };
  std::function<bool()> holds;
  if (const auto look = LookArgument(info, 2))
    // The recheck that overtook it reads everything too.
    holds = [look] { return look->Compare(bpf::Scheduling::kIgnored) != Look::Found::kDiffers; };
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
  auto* const tickers = LiveUntilEnd(env, new Tickers);
  exports.Set("tickerStart", Napi::Function::New(env, StartTicker, "tickerStart", tickers));
  exports.Set("tickerStop", Napi::Function::New(env, StopTicker, "tickerStop", tickers));
}

}  // namespace desk::addon
