#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "addon/aside.h"
#include "addon/boundary.h"
#include "addon/exports.h"
#include "bpf/task_sweep.h"
#include "probe/capture_devices.h"
#include "probe/net_snmp.h"
#include "probe/port_range.h"
#include "probe/thermal.h"

namespace desk::addon {
namespace {

// A file that does not exist is not a refusal.
template <class T>
void Note(Napi::Array& refusals, const Result<T>& result, const char* source) {
  if (result || result.error() == ENOENT) return;
  refusals.Set(refusals.Length(), RefusalValue(refusals.Env(), result.error(), source));
}

// A number that could not be read is null, never 0.
Napi::Value Number(Napi::Env env, bool known, double value) {
  if (!known) return env.Null();
  return Napi::Number::New(env, value);
}

// machine(root): MachineResult
Napi::Value Machine(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto root = RootArgument(info, 0);
  Napi::Array refusals = Napi::Array::New(env);
  const Result<TcpOpens> opens = ReadTcpOpens(root->fd());
  Note(refusals, opens, "snmp");
  const Result<PortRange> range = ReadPortRange(root->fd());
  Note(refusals, range, "port range");
  timespec booted{};
  const bool clock = ::clock_gettime(CLOCK_BOOTTIME, &booted) == 0;
  if (!clock) refusals.Set(refusals.Length(), RefusalValue(env, errno, "boot clock"));

  Napi::Object result = Napi::Object::New(env);
  // As doubles: exact up to 2^53 connections.
  result.Set("tcpActiveOpens", Number(env, opens.ok(), static_cast<double>(opens->active)));
  result.Set("tcpPassiveOpens", Number(env, opens.ok(), static_cast<double>(opens->passive)));
  result.Set("ephemeralLow", Number(env, range.ok(), range->low));
  result.Set("ephemeralHigh", Number(env, range.ok(), range->high));
  result.Set("clockTicksPerSecond", static_cast<double>(::sysconf(_SC_CLK_TCK)));
  result.Set(
      "uptimeSec",
      Number(env, clock, static_cast<double>(booted.tv_sec) + static_cast<double>(booted.tv_nsec) / 1e9));
  result.Set("refusals", refusals);
  return result;
}

// sensors(sys): Promise<SensorResult>
Napi::Value Sensors(const Napi::CallbackInfo& info) {
  const std::string sys = StringArgument(info, 0, "sys");
  return RunAside(info, [sys]() -> AsideValue {
    return [read = ReadTemperatures(sys)](Napi::Env env) -> Napi::Value {
      Napi::Array refusals = Napi::Array::New(env);
      if (read.error != 0) refusals.Set(0u, RefusalValue(env, read.error, "thermal"));
      return ObjectOf(
          env, {{"temperatures", TypedCopy<std::int32_t>(env, read.millidegrees)}, {"refusals", refusals}});
    };
  });
}

// captureDevices(root, sys): Promise<CaptureResult>
Napi::Value CaptureDevices(const Napi::CallbackInfo& info) {
  const auto root = RootArgument(info, 0);
  const std::string sys = StringArgument(info, 1, "sys");
  return RunAside(info, [root, sys]() -> AsideValue {
    const Result<std::uint32_t> cameras = CountCameras(sys);
    const Result<std::uint32_t> sound = CountCaptureDevices(root->fd());
    return [cameras, sound](Napi::Env env) -> Napi::Value {
      Napi::Array refusals = Napi::Array::New(env);
      Note(refusals, cameras, "cameras");
      Note(refusals, sound, "sound");
      return ObjectOf(env, {{"cameras", Number(env, cameras.ok(), *cameras)},
                            {"captureDevices", Number(env, sound.ok(), *sound)},
                            {"refusals", refusals}});
    };
  });
}

// struct mallinfo2 of mallinfo(3).
struct HeapInfo {
  std::size_t arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;
};

// nativeHeap(): {usedBytes, freeBytes} | null
Napi::Value NativeHeap(const Napi::CallbackInfo& info) {
  // glibc has it since 2.33, musl does not; before, mallinfo() counts in int, which overflows. By its name,
  // because the packages are compiled for an older one.
  static const auto read = reinterpret_cast<HeapInfo (*)()>(::dlsym(RTLD_DEFAULT, "mallinfo2"));
  if (read == nullptr) return info.Env().Null();
  const HeapInfo heap = read();
  return ObjectOf(info.Env(), {{"usedBytes", static_cast<double>(heap.uordblks + heap.hblkhd)},
                               {"freeBytes", static_cast<double>(heap.fordblks)}});
}

// textBytes(root): number
Napi::Value TextBytes(const Napi::CallbackInfo& info) {
  const auto root = RootArgument(info, 0);
  return Napi::Number::New(info.Env(), static_cast<double>(bpf::KeptTextBytes(*root)));
}

// takeExecuted(root): Int32Array | null
Napi::Value TakeExecuted(const Napi::CallbackInfo& info) {
  const auto root = RootArgument(info, 0);
  const std::optional<std::vector<std::int32_t>> pids = bpf::TakeExecuted(*root);
  if (!pids) return info.Env().Null();
  return TypedCopy<std::int32_t>(info.Env(), *pids);
}

}  // namespace

void ExportMachine(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "machine", Machine);
  ExportFunction(env, exports, "sensors", Sensors);
  ExportFunction(env, exports, "captureDevices", CaptureDevices);
  ExportFunction(env, exports, "nativeHeap", NativeHeap);
  ExportFunction(env, exports, "textBytes", TextBytes);
  ExportFunction(env, exports, "takeExecuted", TakeExecuted);
}

}  // namespace desk::addon
