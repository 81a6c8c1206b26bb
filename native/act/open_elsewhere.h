// Whether some process has a file open.
#pragma once

#include "core/result.h"

namespace desk {

// Looks through the descriptors of every process of /proc that we may look into for the file of `fd`, leaving
// out that descriptor itself. Mappings whose descriptor is closed are not seen: reading maps can block for
// ever.
Result<bool> OpenElsewhere(int fd);

}  // namespace desk
