#pragma once

#include <string>

namespace desk {

// Symbolic name of an errno, e.g. "EACCES"; "E<number>" for one without a name here.
std::string ErrnoName(int error);

}  // namespace desk
