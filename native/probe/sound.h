// Sound: /proc/asound/pcm (Documentation/sound/designs/procfile.rst).
#pragma once

#include <cstdint>
#include <string_view>

#include "core/result.h"

namespace desk {

// PCM devices that can record: lines such as `00-00: ALC295 Analog : ALC295 Analog : playback 1 : capture 1`.
std::uint32_t ParsePcm(std::string_view text);

// 0 when the machine has no sound.
Result<std::uint32_t> CountCaptureDevices(int root);

}  // namespace desk
