// Sensor files below /sys.
#include "probe/thermal.h"

#include <string>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  const Result<std::int32_t> value = ParseTemperature(TextOf(input));
  if (!value) return Ensure(value.error() == EBADMSG);
  Ensure(*value >= -273'150 && *value <= 1'000'000);
  const Result<std::int32_t> again = ParseTemperature(std::to_string(*value) + "\n");
  Ensure(again.ok() && *again == *value);
}

}  // namespace desk::fuzz
