// The service's side of desk-start: one for the whole process, for every thread of it.
#pragma once

#include <sys/types.h>

#include <span>
#include <vector>

#include "core/result.h"
#include "start/protocol.h"

namespace desk {

// Takes the socket of a running desk-start (StarterChannel) for all of this process.
void UseStarter(int socket);

// Asks it and waits for the answer, at most five seconds: not for the main thread. ENOTCONN where there is
// none, or where it has ended: every later call is refused too. ETIMEDOUT where it does not answer: until it
// has, later calls are refused at once. Every other error is one of this call alone.
Result<StartAnswer> AskStarter(const StartRequest& request, std::span<const int> given, Passed& passed);

// Has it bind a socket that this process may not bind (EACCES); 0, or the errno of bind(2) or of AskStarter.
// EACCES where no desk-start was ever taken.
int BindThroughStarter(int socket, const sockaddr* address, socklen_t length);

// Children that were started for a call which had given up by then: killed already, to be reaped. Each is
// told once. Never waits.
std::vector<pid_t> TakeLateChildren();

}  // namespace desk
