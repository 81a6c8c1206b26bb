#include <memory>
#include <string>
#include <vector>

#include "addon/boundary.h"
#include "addon/exports.h"
#include "addon/look.h"
#include "addon/waker.h"
#include "watch/clock.h"
#include "watch/watch.h"

namespace desk::addon {
namespace {

constexpr std::int64_t kMostPeriodMs = 3'600'000;
constexpr std::uint32_t kMostRereads = 8;
constexpr std::int64_t kMostBufferBytes = 1 << 28;

struct WatchState : Wakers<Watch> {
  // The result of a take when nothing has happened: made once, because that is the usual case.
  Napi::ObjectReference nothing;
};

WatchState& StateOf(const Napi::CallbackInfo& info) { return *static_cast<WatchState*>(info.Data()); }

Watch& WatchArgument(const Napi::CallbackInfo& info) {
  return *HandleArgument(info, 0, "watch", StateOf(info).handles)->source();
}

WatchOptions OptionsArgument(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Napi::Object object = ObjectArgument(info, 0, "options");
  const auto milliseconds = [&](const Napi::Value& value, const std::string& name) {
    return static_cast<std::uint32_t>(WholeNumber(env, value, name, 1, kMostPeriodMs));
  };
  WatchOptions options;
  options.listen_poll_ms = milliseconds(object.Get("listenPollMs"), "options.listenPollMs");
  options.all_ms = milliseconds(object.Get("allMs"), "options.allMs");
  const Napi::Value rereads = object.Get("rereadMs");
  if (!rereads.IsArray() || rereads.As<Napi::Array>().Length() > kMostRereads)
    throw Napi::TypeError::New(env, "options.rereadMs must be an array of at most 8 numbers");
  options.reread_ms.clear();
  for (std::uint32_t at = 0; at < rereads.As<Napi::Array>().Length(); ++at) {
    options.reread_ms.push_back(
        milliseconds(rereads.As<Napi::Array>().Get(at), "options.rereadMs[" + std::to_string(at) + "]"));
  }
  const Napi::Value tracepoint = object.Get("tracepoint");
  if (!tracepoint.IsBoolean()) throw Napi::TypeError::New(env, "options.tracepoint must be a boolean");
  options.tracepoint = tracepoint.As<Napi::Boolean>().Value();
  if (const Napi::Value bytes = object.Get("bufferBytes"); !bytes.IsUndefined()) {
    options.buffer_bytes =
        static_cast<std::uint32_t>(WholeNumber(env, bytes, "options.bufferBytes", 1, kMostBufferBytes));
  }
  return options;
}

Napi::Object DeltaValue(Napi::Env env, const WatchDelta& delta) {
  Napi::Object events = ObjectOf(env, {{"fork", delta.events.fork},
                                       {"exec", delta.events.exec},
                                       {"exit", delta.events.exit},
                                       {"comm", delta.events.comm},
                                       {"id", delta.events.id},
                                       {"ptrace", delta.events.ptrace},
                                       {"other", delta.events.other},
                                       {"socket", delta.socket_events}});
  return ObjectOf(
      env, {{"count", delta.count},
            {"processes", delta.processes},
            {"listeners", delta.listeners},
            {"connections", delta.connections},
            {"resync", delta.resync},
            {"all", delta.all},
            {"broken", delta.broken},
            {"events", events},
            {"lost", delta.lost},
            {"overruns", delta.overruns},
            {"polls", delta.polls},
            {"pollRefusals", delta.poll_refusals},
            {"oldestUs",
             delta.oldest_ns == 0 ? 0.0 : static_cast<double>(MonotonicNs() - delta.oldest_ns) / 1000.0}});
}

// watchStart(options, wake, look?): WatchStart | Refusal
Napi::Value WatchStartExport(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const WatchOptions options = OptionsArgument(info);
  if (!info[1].IsFunction()) throw Napi::TypeError::New(env, "wake must be a function");

  auto waker = std::make_shared<Waker<Watch>>(env, info[1].As<Napi::Function>(), "desk-watch");
  WatchStart start;
  Result<std::unique_ptr<Watch>> watch = Watch::Start(
      options, [wake = waker->call()] { wake.NonBlockingCall(); }, start, LookArgument(info, 2));
  if (!watch) {
    waker->Stop();
    return RefusalValue(env, watch.error(), "watch");
  }
  waker->Keep(env, std::move(*watch));
  const int handle = StateOf(info).handles.Open(waker);

  return ObjectOf(env, {{"watch", handle},
                        {"connector", MessageOf(start.connector)},
                        {"tracepoint", MessageOf(start.tracepoint)},
                        {"udp", MessageOf(start.udp)},
                        {"makers", MessageOf(start.makers)},
                        {"udpExits", MessageOf(start.udp_exits)},
                        {"bufferBytes", start.buffer_bytes}});
}

// watchTake(watch, pids): WatchDelta
Napi::Value WatchTake(const Napi::CallbackInfo& info) {
  Watch& watch = WatchArgument(info);
  const std::span<std::int32_t> pids = Int32Argument(info, 1, "pids");
  WatchDelta delta;
  if (watch.Take(pids, delta)) return DeltaValue(info.Env(), delta);
  return StateOf(info).nothing.Value();
}

// watchSaw(watch, buffer, capacity, listeners): void
void WatchSaw(const Napi::CallbackInfo& info) {
  Watch& watch = WatchArgument(info);
  const Table table(info, 1);
  watch.Saw(table.columns.listeners,
            IntegerArgument<std::uint32_t>(info, 3, "listeners", 0, table.capacity.sockets));
}

// watchCpuUs(watch): number
Napi::Value WatchCpu(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), WatchArgument(info).CpuUs());
}

// watchStop(watch): void
void WatchStop(const Napi::CallbackInfo& info) {
  CloseArgument(info, 0, "watch", StateOf(info).handles)->Release(info.Env());
}

}  // namespace

void ExportWatch(Napi::Env env, Napi::Object& exports) {
  auto* const state = LiveUntilEnd(env, new WatchState);
  Napi::Object nothing = DeltaValue(env, {});
  nothing.Get("events").As<Napi::Object>().Freeze();
  nothing.Freeze();
  state->nothing = Napi::Persistent(nothing);
  // The environment releases its references by itself.
  state->nothing.SuppressDestruct();
  const auto set = [&](const char* name, auto function) {
    exports.Set(name, Napi::Function::New(env, function, name, state));
  };
  set("watchStart", WatchStartExport);
  set("watchTake", WatchTake);
  set("watchSaw", WatchSaw);
  set("watchCpuUs", WatchCpu);
  set("watchStop", WatchStop);
}

}  // namespace desk::addon
