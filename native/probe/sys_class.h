// Device classes below /sys/class (Documentation/filesystems/sysfs.rst): folders of links to devices.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/fd.h"
#include "core/result.h"

namespace desk {

// Opens sys/class/<name>; ENOENT when no driver made the class, which means that there is no such device.
Result<Fd> OpenClass(const std::string& sys, const char* name);

// Entries of `folder` (relative to `directory`) with this prefix and suffix, sorted.
Result<std::vector<std::string>> ListNames(int directory, const char* folder, std::string_view prefix,
                                           std::string_view suffix);

}  // namespace desk
