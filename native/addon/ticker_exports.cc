#include <memory>

#include "addon/boundary.h"
#include "addon/exports.h"
#include "watch/ticker.h"

namespace desk::addon {
namespace {

constexpr std::int64_t kMostTickMs = 3'600'000;

// A ticker and the function that it calls.
struct TickerEntry {
  std::unique_ptr<Ticker> ticker;
  Napi::ThreadSafeFunction tick;

  // The thread has to end before the function is destroyed; calls it queued are dropped.
  void Stop() {
    ticker.reset();
    tick.Abort();
  }
};

struct TickerState {
  Handles<TickerEntry> tickers;
};

void StopTickerAtEnd(void* entry) { static_cast<TickerEntry*>(entry)->Stop(); }

TickerState& TickersOf(const Napi::CallbackInfo& info) { return *static_cast<TickerState*>(info.Data()); }

// tickerStart(periodMs, tick): number | Refusal
Napi::Value StartTicker(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto period_ms = IntegerArgument<std::int64_t>(info, 0, "periodMs", 1, kMostTickMs);
  if (!info[1].IsFunction()) throw Napi::TypeError::New(env, "tick must be a function");
  auto entry = std::make_shared<TickerEntry>();
  entry->tick = Napi::ThreadSafeFunction::New(env, info[1].As<Napi::Function>(), "desk-ticker", 0, 1);
  entry->tick.Unref(env);
  // The thread ends before the entry does.
  const auto ring = [raw = entry.get()] {
    raw->tick.NonBlockingCall([raw](Napi::Env, Napi::Function tick) {
      if (raw->ticker) raw->ticker->Take();
      tick.Call({});
    });
  };
  Result<std::unique_ptr<Ticker>> ticker = Ticker::Start(period_ms * 1'000'000, ring);
  if (!ticker) {
    entry->tick.Abort();
    return RefusalValue(env, ticker.error(), "ticker");
  }
  entry->ticker = std::move(*ticker);
  const int handle = TickersOf(info).tickers.Open(entry);
  // Hooks run in reverse order: this one joins the thread before the function that it calls is destroyed.
  napi_add_env_cleanup_hook(env, StopTickerAtEnd, entry.get());
  return Napi::Number::New(env, handle);
}

// tickerStop(ticker): void
void StopTicker(const Napi::CallbackInfo& info) {
  const std::shared_ptr<TickerEntry> entry = CloseArgument(info, 0, "ticker", TickersOf(info).tickers);
  napi_remove_env_cleanup_hook(info.Env(), StopTickerAtEnd, entry.get());
  entry->Stop();
}

}  // namespace

void ExportTicker(Napi::Env env, Napi::Object& exports) {
  auto* const state = new TickerState;
  env.AddCleanupHook([](TickerState* ended) { delete ended; }, state);
  exports.Set("tickerStart", Napi::Function::New(env, StartTicker, "tickerStart", state));
  exports.Set("tickerStop", Napi::Function::New(env, StopTicker, "tickerStop", state));
}

}  // namespace desk::addon
