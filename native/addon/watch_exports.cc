#include "addon/watch_exports.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "addon/boundary.h"
#include "watch/clock.h"
#include "watch/watch.h"

namespace desk::addon {
namespace {

constexpr std::int64_t kMostPeriodMs = 3'600'000;
constexpr std::uint32_t kMostRereads = 8;
constexpr std::int64_t kMostBufferBytes = 1 << 28;

// One watch and the function that it wakes.
struct Entry {
  std::unique_ptr<Watch> watch;
  Napi::ThreadSafeFunction wake;

  // The thread has ended before the function is taken apart, and what it asked for before is not called.
  void Stop() {
    watch.reset();
    wake.Abort();
  }
};

// The watches of one environment. It lives from the loading of the addon to the end of the environment.
struct Station {
  std::map<std::uint32_t, Entry> watches;
  std::uint32_t next = 1;
  // What a take gives when nothing has happened: made once, because that is the usual answer.
  Napi::ObjectReference nothing;
};

void StopAtEnd(void* entry) { static_cast<Entry*>(entry)->Stop(); }

Station& StationOf(const Napi::CallbackInfo& info) { return *static_cast<Station*>(info.Data()); }

Watch& WatchArgument(const Napi::CallbackInfo& info) {
  auto& watches = StationOf(info).watches;
  const auto handle = static_cast<std::uint32_t>(IntegerArgument(info, 0, "watch", 0, UINT32_MAX));
  const auto found = watches.find(handle);
  if (found == watches.end())
    throw Napi::RangeError::New(info.Env(),
                                "watch " + std::to_string(handle) + " was not started in this thread");
  return *found->second.watch;
}

std::string Sentence(const Unavailable& reason) {
  if (reason.error == 0) return reason.step;
  return reason.step + ": the kernel refuses (" + ErrnoName(reason.error) + ")";
}

WatchOptions OptionsArgument(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!info[0].IsObject()) throw Napi::TypeError::New(env, "options must be an object");
  const auto object = info[0].As<Napi::Object>();
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
  Napi::Object events = Napi::Object::New(env);
  events.Set("fork", delta.events.fork);
  events.Set("exec", delta.events.exec);
  events.Set("exit", delta.events.exit);
  events.Set("comm", delta.events.comm);
  events.Set("id", delta.events.id);
  events.Set("ptrace", delta.events.ptrace);
  events.Set("other", delta.events.other);
  events.Set("socket", delta.socket_events);
  Napi::Object value = Napi::Object::New(env);
  value.Set("count", delta.count);
  value.Set("processes", delta.processes);
  value.Set("listeners", delta.listeners);
  value.Set("connections", delta.connections);
  value.Set("resync", delta.resync);
  value.Set("all", delta.all);
  value.Set("broken", delta.broken);
  value.Set("events", events);
  value.Set("lost", delta.lost);
  value.Set("overruns", delta.overruns);
  value.Set("polls", delta.polls);
  value.Set("pollRefusals", delta.poll_refusals);
  value.Set("oldestUs",
            delta.oldest_ns == 0 ? 0.0 : static_cast<double>(MonotonicNs() - delta.oldest_ns) / 1000.0);
  return value;
}

// watchStart(options, wake): WatchStart | Refusal
Napi::Value WatchStartExport(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Station& station = StationOf(info);
  const WatchOptions options = OptionsArgument(info);
  if (!info[1].IsFunction()) throw Napi::TypeError::New(env, "wake must be a function");

  Entry entry;
  entry.wake = Napi::ThreadSafeFunction::New(env, info[1].As<Napi::Function>(), "desk-watch", 0, 1);
  entry.wake.Unref(env);
  WatchStart start;
  Result<std::unique_ptr<Watch>> watch = Watch::Start(
      options, [wake = entry.wake] { wake.NonBlockingCall(); }, start);
  if (!watch) {
    entry.wake.Abort();
    return RefusalValue(env, watch.error(), "watch");
  }
  entry.watch = std::move(*watch);
  const std::uint32_t handle = station.next++;
  Entry& kept = station.watches.emplace(handle, std::move(entry)).first->second;
  // Hooks run in reverse order: this one joins the thread before the function that it calls is taken apart.
  napi_add_env_cleanup_hook(env, StopAtEnd, &kept);

  Napi::Object value = Napi::Object::New(env);
  value.Set("watch", handle);
  value.Set("connector", Sentence(start.connector));
  value.Set("tracepoint", Sentence(start.tracepoint));
  value.Set("udp", Sentence(start.udp));
  value.Set("makers", Sentence(start.makers));
  value.Set("bufferBytes", start.buffer_bytes);
  return value;
}

// watchTake(watch, pids): WatchDelta
Napi::Value WatchTake(const Napi::CallbackInfo& info) {
  Watch& watch = WatchArgument(info);
  const std::span<std::int32_t> pids = Int32Argument(info, 1, "pids");
  WatchDelta delta;
  if (watch.Take(pids, delta)) return DeltaValue(info.Env(), delta);
  return StationOf(info).nothing.Value();
}

// watchSaw(watch, buffer, capacity, listeners): void
void WatchSaw(const Napi::CallbackInfo& info) {
  Watch& watch = WatchArgument(info);
  const Capacity capacity = CapacityArgument(info, 2);
  const Columns columns = ColumnsArgument(info, 1, capacity);
  const std::int64_t rows = IntegerArgument(info, 3, "listeners", 0, capacity.sockets);
  watch.Saw(columns.listeners, static_cast<std::uint32_t>(rows));
}

// watchCpuUs(watch): number
Napi::Value WatchCpu(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), WatchArgument(info).CpuUs());
}

// watchStop(watch): void
void WatchStop(const Napi::CallbackInfo& info) {
  WatchArgument(info);
  auto& watches = StationOf(info).watches;
  const auto found = watches.find(info[0].As<Napi::Number>().Uint32Value());
  napi_remove_env_cleanup_hook(info.Env(), StopAtEnd, &found->second);
  found->second.Stop();
  watches.erase(found);
}

}  // namespace

void ExportWatch(Napi::Env env, Napi::Object exports) {
  auto* const station = new Station;
  Napi::Object nothing = DeltaValue(env, {});
  nothing.Get("events").As<Napi::Object>().Freeze();
  nothing.Freeze();
  station->nothing = Napi::Persistent(nothing);
  // The environment gives up its references by itself.
  station->nothing.SuppressDestruct();
  env.AddCleanupHook([](Station* ended) { delete ended; }, station);
  exports.Set("watchStart", Napi::Function::New(env, WatchStartExport, "watchStart", station));
  exports.Set("watchTake", Napi::Function::New(env, WatchTake, "watchTake", station));
  exports.Set("watchSaw", Napi::Function::New(env, WatchSaw, "watchSaw", station));
  exports.Set("watchCpuUs", Napi::Function::New(env, WatchCpu, "watchCpuUs", station));
  exports.Set("watchStop", Napi::Function::New(env, WatchStop, "watchStop", station));
}

}  // namespace desk::addon
