// Temperatures: thermal zones (Documentation/driver-api/thermal/sysfs-api.rst) and hwmon sensors
// (Documentation/hwmon/sysfs-interface.rst).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace desk {

struct Temperatures {
  // One per sensor that answered, in millidegrees Celsius.
  std::vector<std::int32_t> millidegrees;
  // The first refusal of a sensor that exists; 0 when there was none. A sensor of a suspended device does not
  // count.
  int error = 0;
};

// Millidegrees Celsius of one `temp` file; EBADMSG when it is not a number or below absolute zero.
Result<std::int32_t> ParseTemperature(std::string_view text);

// All sensors below a sys root. A zone with a mirrored hwmon device counts once.
Temperatures ReadTemperatures(const std::string& sys);

}  // namespace desk
