#include "addon/machine_exports.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "addon/boundary.h"
#include "probe/net_snmp.h"
#include "probe/port_range.h"
#include "probe/sound.h"
#include "probe/thermal.h"
#include "probe/video.h"

namespace desk::addon {
namespace {

// machine(root, sys, sensors = true): MachineResult
Napi::Value Machine(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto root = RootArgument(info, 0);
  const std::string sys = StringArgument(info, 1, "sys");
  if (!info[2].IsUndefined() && !info[2].IsBoolean())
    throw Napi::TypeError::New(env, "sensors must be a boolean");
  const bool sensors = info[2].IsUndefined() || info[2].As<Napi::Boolean>().Value();

  Napi::Array refusals = Napi::Array::New(env);
  const auto refuse = [&](int error, const char* source) {
    refusals.Set(refusals.Length(), RefusalValue(env, error, source));
  };
  // What does not exist is nothing, not a refusal.
  const auto value_of = [&]<class T>(const Result<T>& result, const char* source) {
    if (result) return *result;
    if (result.error() != ENOENT) refuse(result.error(), source);
    return T{};
  };

  Temperatures temperatures;
  std::uint32_t cameras = 0;
  std::uint32_t captures = 0;
  if (sensors) {
    temperatures = ReadTemperatures(sys);
    if (temperatures.error != 0) refuse(temperatures.error, "thermal");
    cameras = value_of(CountCameras(sys), "cameras");
    captures = value_of(CountCaptureDevices(root->fd()), "sound");
  }
  const TcpOpens opens = value_of(ReadTcpOpens(root->fd()), "snmp");
  const PortRange range = value_of(ReadPortRange(root->fd()), "port range");
  timespec booted{};
  if (::clock_gettime(CLOCK_BOOTTIME, &booted) != 0) refuse(errno, "boot clock");

  Napi::Object result = Napi::Object::New(env);
  Napi::Int32Array millidegrees = Napi::Int32Array::New(env, temperatures.millidegrees.size());
  std::ranges::copy(temperatures.millidegrees, millidegrees.Data());
  result.Set("temperatures", millidegrees);
  result.Set("cameras", cameras);
  result.Set("captureDevices", captures);
  // Counters beyond 2^53 lose their last bits; a namespace that opened as many connections is not of this
  // world.
  result.Set("tcpActiveOpens", static_cast<double>(opens.active));
  result.Set("tcpPassiveOpens", static_cast<double>(opens.passive));
  result.Set("ephemeralLow", range.low);
  result.Set("ephemeralHigh", range.high);
  result.Set("clockTicksPerSecond", static_cast<double>(::sysconf(_SC_CLK_TCK)));
  result.Set("uptimeSec", static_cast<double>(booted.tv_sec) + static_cast<double>(booted.tv_nsec) / 1e9);
  result.Set("refusals", refusals);
  return result;
}

}  // namespace

void ExportMachine(Napi::Env env, Napi::Object& exports) { ExportFunction(env, exports, "machine", Machine); }

}  // namespace desk::addon
