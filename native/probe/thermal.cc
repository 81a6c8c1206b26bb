#include "probe/thermal.h"

#include "core/read.h"
#include "core/text.h"
#include "probe/sys_class.h"

namespace desk {
namespace {

constexpr std::int32_t kAbsoluteZero = -273'150;
constexpr std::int32_t kImpossible = 1'000'000;

// Errors of a driver while its device is off or has not measured yet.
bool Sleeps(int error) {
  return error == ENODATA || error == EAGAIN || error == ENXIO || error == ENODEV || error == ENOENT;
}

void Note(Temperatures& into, int error) {
  if (into.error == 0 && !Sleeps(error)) into.error = error;
}

void ReadSensor(int directory, const std::string& path, Temperatures& into) {
  const Result<std::int32_t> value = ReadFile(directory, path.c_str()).AndThen(ParseTemperature);
  if (!value) return Note(into, value.error());
  into.millidegrees.push_back(*value);
}

// A thermal zone registers a hwmon device beneath itself (drivers/thermal/thermal_hwmon.c): its `device` is
// the zone.
bool IsZoneMirror(int hwmon, const std::string& name) {
  const Result<std::string_view> device = ReadLink(hwmon, (name + "/device").c_str());
  if (device && device->substr(device->rfind('/') + 1).starts_with("thermal_zone")) return true;
  const Result<std::string_view> place = ReadLink(hwmon, name.c_str());
  return place && place->find("/thermal_zone") != std::string_view::npos;
}

void ReadZones(const std::string& sys, Temperatures& into) {
  const Result<Fd> zones = OpenClass(sys, "thermal");
  if (!zones) return Note(into, zones.error());
  const auto names = ListNames(zones->get(), ".", "thermal_zone", "");
  if (!names) return Note(into, names.error());
  for (const std::string& name : *names) ReadSensor(zones->get(), name + "/temp", into);
}

void ReadHwmon(const std::string& sys, Temperatures& into) {
  const Result<Fd> hwmon = OpenClass(sys, "hwmon");
  if (!hwmon) return Note(into, hwmon.error());
  const auto names = ListNames(hwmon->get(), ".", "hwmon", "");
  if (!names) return Note(into, names.error());
  for (const std::string& name : *names) {
    if (IsZoneMirror(hwmon->get(), name)) continue;
    const auto sensors = ListNames(hwmon->get(), name.c_str(), "temp", "_input");
    if (!sensors) {
      Note(into, sensors.error());
      continue;
    }
    for (const std::string& sensor : *sensors)
      ReadSensor(hwmon->get(), std::string(name).append(1, '/').append(sensor), into);
  }
}

}  // namespace

Result<std::int32_t> ParseTemperature(std::string_view text) {
  const auto value = ParseNumber<std::int32_t>(FirstLine(text));
  if (!value || *value < kAbsoluteZero || *value > kImpossible) return Errno{EBADMSG};
  return *value;
}

Temperatures ReadTemperatures(const std::string& sys) {
  Temperatures temperatures;
  ReadZones(sys, temperatures);
  ReadHwmon(sys, temperatures);
  return temperatures;
}

}  // namespace desk
