// /proc/PID/auxv: the auxiliary vector that the kernel passes to a program at its start (getauxval(3)).
#pragma once

#include <string>
#include <string_view>

#include "peek/subject.h"

namespace desk {

// Its bytes; empty when it is unreadable.
std::string ReadVector(const Subject& subject);

// False from execve(2) until the kernel has written it.
bool HasStarted(std::string_view vector);

// AT_SECURE: the program gained rights when it was started, like set-user-ID programs, so that the loader
// ignores its environment (ld.so(8)). False when it is unknown.
bool IsSecure(std::string_view vector);

}  // namespace desk
