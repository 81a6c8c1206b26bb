#include "start/client.h"

#include <fcntl.h>

#include <cerrno>
#include <mutex>

namespace desk {
namespace {

// Never destroyed: a worker may ask while the process ends.
struct Starter {
  std::mutex mutex;
  Fd socket;
};

Starter& TheStarter() {
  static auto* const starter = new Starter;
  return *starter;
}

}  // namespace

void UseStarter(int socket) {
  Starter& starter = TheStarter();
  const std::lock_guard guard(starter.mutex);
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);
  const timeval timeout{.tv_sec = 5, .tv_usec = 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  starter.socket = Fd(socket);
}

Result<StartAnswer> AskStarter(const StartRequest& request, std::span<const int> given, Passed& passed) {
  Starter& starter = TheStarter();
  const std::lock_guard guard(starter.mutex);
  if (!starter.socket.valid()) return Errno{ENOTCONN};
  StartAnswer answer;
  int error = SendMessage(starter.socket.get(), std::as_bytes(std::span(&request, 1)), given);
  if (error == 0)
    error = ReceiveMessage(starter.socket.get(), std::as_writable_bytes(std::span(&answer, 1)), passed);
  if (error != 0) {
    // A late answer would be taken for that of the next question.
    starter.socket = Fd();
    return Errno{error == EPIPE || error == ECONNRESET ? ENOTCONN : error};
  }
  if (answer.error != 0) return Errno{answer.error};
  return answer;
}

}  // namespace desk
