// The service's side of desk-start: one for the whole process. Thread-safe.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <vector>

#include "core/fd.h"
#include "core/result.h"
#include "start/protocol.h"

namespace desk {

// Takes the socket of a running desk-start (StarterChannel) for all of this process.
void UseStarter(int socket);

// Sends a request and waits for the answer, at most five seconds: not for the main thread. ENOTCONN when
// there is no desk-start, or it has ended: later calls fail too. ETIMEDOUT when it does not answer: later
// calls fail immediately until it does. Other errors concern this call only.
Result<StartAnswer> AskStarter(const StartRequest& request, std::span<const int> given, Passed& passed);

// Opens the sockets of another network namespace (StartWhat::kNetwork) through desk-start, or, where there
// never was one, through the service desk-namespaces, a connection for each request. EPERM when this machine
// has no such service for the user of this process; otherwise the errors are those of AskStarter.
int OpenNetwork(int network, Passed& passed);

// Opens a socket of the proc connector in this network namespace through desk-namespaces, subscribed, with
// `number` for its acknowledgement: StartWhat::kConnector. Waits for that service to start, 10 seconds at
// most for a connection and 10 for the answer, and not at all where there is none: ENOENT, EACCES or
// ECONNREFUSED; ETIMEDOUT when it does not answer.
int OpenConnector(std::uint32_t number, Fd& opened);

// Lets it bind a socket that this process may not bind (EACCES); 0, or the errno of bind(2) or of AskStarter.
// EACCES when there never was a desk-start.
int BindThroughStarter(int socket, const sockaddr* address, socklen_t length);

// Children that were started for a call that had already timed out: killed, to be reaped by the caller. Each
// is returned once. Never waits.
std::vector<pid_t> TakeLateChildren();

}  // namespace desk
