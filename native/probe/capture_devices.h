// Cameras: /sys/class/video4linux (Documentation/userspace-api/media/v4l/open.rst). Sound: /proc/asound/pcm
// (Documentation/sound/designs/procfile.rst).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.h"

namespace desk {

// Distinct devices with a capture node. A camera has several nodes (capture, metadata); the one with index 0
// is its capture node. 0 when the machine has no such class.
Result<std::uint32_t> CountCameras(const std::string& sys);

// PCM devices that can record: lines such as `00-00: ALC295 Analog : ALC295 Analog : playback 1 : capture 1`.
std::uint32_t ParsePcm(std::string_view text);

// 0 when the machine has no sound.
Result<std::uint32_t> CountCaptureDevices(int root);

}  // namespace desk
