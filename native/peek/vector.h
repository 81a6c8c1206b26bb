// /proc/PID/auxv: the auxiliary vector that the kernel handed to a program at its start (getauxval(3)).
#pragma once

#include <string>
#include <string_view>

#include "peek/subject.h"

namespace desk {

// Its bytes; empty when it is refused.
std::string ReadVector(const Subject& subject);

// False from execve(2) until the kernel has written it.
bool HasStarted(std::string_view vector);

// AT_SECURE: the program was started with more rights than who started it had, as set-user-ID programs are,
// so that the loader takes nothing from that one's environment (ld.so(8)). False where it is not known.
bool IsSecure(std::string_view vector);

}  // namespace desk
