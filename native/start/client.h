// The service's side of desk-start: one for the whole process, for every thread of it.
#pragma once

#include <span>

#include "core/result.h"
#include "start/protocol.h"

namespace desk {

// Takes the socket of a running desk-start for all of this process.
void UseStarter(int socket);

// Asks it and waits for the answer, at most five seconds. ENOTCONN where there is none, or where it has
// ended: every later call is refused too.
Result<StartAnswer> AskStarter(const StartRequest& request, std::span<const int> given, Passed& passed);

}  // namespace desk
