// Whether another process has a file open.
#pragma once

#include "core/result.h"

namespace desk {

// Searches the descriptors of every accessible process for the file of `fd`, except that descriptor itself.
// Mappings whose descriptor is closed are not found: reading maps can block forever.
Result<bool> OpenElsewhere(int fd);

}  // namespace desk
