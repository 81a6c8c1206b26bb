// Cameras: /sys/class/video4linux (Documentation/userspace-api/media/v4l/open.rst).
#pragma once

#include <cstdint>
#include <string>

#include "core/result.h"

namespace desk {

// Distinct devices with a capture node. A camera has several nodes (capture, metadata); the one with index 0
// is its capture node. 0 when the machine has no such class.
Result<std::uint32_t> CountCameras(const std::string& sys);

}  // namespace desk
