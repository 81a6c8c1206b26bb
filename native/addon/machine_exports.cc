#include "addon/machine_exports.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <string>

#include "addon/boundary.h"
#include "probe/net_snmp.h"
#include "probe/port_range.h"
#include "probe/sound.h"
#include "probe/thermal.h"
#include "probe/video.h"

namespace desk::addon {
namespace {

// machine(root, sys): MachineResult
Napi::Value Machine(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto root = RootArgument(info, 0);
  const std::string sys = StringArgument(info, 1, "sys");

  Napi::Array refusals = Napi::Array::New(env);
  const auto refuse = [&](int error, const char* source) {
    refusals.Set(refusals.Length(), RefusalValue(env, error, source));
  };
  // What does not exist is no refusal; a number that could not be read is null, never 0.
  const auto note = [&]<class T>(const Result<T>& result, const char* source) {
    if (!result && result.error() != ENOENT) refuse(result.error(), source);
    return result;
  };
  const auto number = [env](bool known, double value) -> Napi::Value {
    if (!known) return env.Null();
    return Napi::Number::New(env, value);
  };

  const Temperatures temperatures = ReadTemperatures(sys);
  if (temperatures.error != 0) refuse(temperatures.error, "thermal");
  const std::uint32_t cameras = *note(CountCameras(sys), "cameras");
  const std::uint32_t captures = *note(CountCaptureDevices(root->fd()), "sound");
  const Result<TcpOpens> opens = note(ReadTcpOpens(root->fd()), "snmp");
  const Result<PortRange> range = note(ReadPortRange(root->fd()), "port range");
  timespec booted{};
  const bool clock = ::clock_gettime(CLOCK_BOOTTIME, &booted) == 0;
  if (!clock) refuse(errno, "boot clock");

  Napi::Object result = Napi::Object::New(env);
  Napi::Int32Array millidegrees = Napi::Int32Array::New(env, temperatures.millidegrees.size());
  std::ranges::copy(temperatures.millidegrees, millidegrees.Data());
  result.Set("temperatures", millidegrees);
  result.Set("cameras", cameras);
  result.Set("captureDevices", captures);
  // Counters beyond 2^53 lose their last bits; a namespace that opened as many connections is not of this
  // world.
  result.Set("tcpActiveOpens", number(opens.ok(), static_cast<double>(opens->active)));
  result.Set("tcpPassiveOpens", number(opens.ok(), static_cast<double>(opens->passive)));
  result.Set("ephemeralLow", number(range.ok(), range->low));
  result.Set("ephemeralHigh", number(range.ok(), range->high));
  result.Set("clockTicksPerSecond", static_cast<double>(::sysconf(_SC_CLK_TCK)));
  result.Set("uptimeSec",
             number(clock, static_cast<double>(booted.tv_sec) + static_cast<double>(booted.tv_nsec) / 1e9));
  result.Set("refusals", refusals);
  return result;
}

}  // namespace

void ExportMachine(Napi::Env env, Napi::Object& exports) { ExportFunction(env, exports, "machine", Machine); }

}  // namespace desk::addon
