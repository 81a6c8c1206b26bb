#include "start/client.h"

#include <fcntl.h>
#include <sys/un.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <mutex>
#include <string_view>
#include <utility>

#include "act/own_child.h"
#include "start/namespaces.h"

namespace desk {
namespace {

// Never destroyed: a worker may use it while the process ends.
struct Starter {
  // Held during a whole request.
  std::mutex mutex;
  Fd socket;
  // The answer to a request that timed out is still pending.
  bool owes = false;
  std::atomic<bool> taken = false;
  // With its own lock: the main thread reads them and must not wait for a request.
  std::mutex late_mutex;
  std::vector<pid_t> late_children;
};

Starter& TheStarter() {
  static auto* const starter = new Starter;
  return *starter;
}

// Receives late answers, which would be taken for the answer to the next request. 0 when a request may be
// sent.
int TakeLateAnswers(Starter& starter) {
  for (;;) {
    StartAnswer late;
    // Closed here.
    Passed passed;
    const int error = ReceiveMessage(starter.socket.get(), std::as_writable_bytes(std::span(&late, 1)),
                                     passed, MSG_DONTWAIT);
    if (error == EAGAIN) return starter.owes ? ETIMEDOUT : 0;
    if (error != 0 && error != EBADMSG) return error;
    starter.owes = false;
    if (error != 0 || late.pid <= 0) continue;
    {
      // Before its end is reported.
      const std::lock_guard guard(starter.late_mutex);
      starter.late_children.push_back(late.pid);
    }
    KillChild(late.pid);
  }
}

constexpr StartRequest kNetworkRequest{.what = StartWhat::kNetwork};

// A connection to desk-namespaces, with `patience` for each message.
Result<Fd> ConnectNamespaces(std::chrono::seconds patience) {
  Fd made(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!made.valid()) return Errno{errno};
  const timeval timeout{.tv_sec = patience.count(), .tv_usec = 0};
  for (const int option : {SO_RCVTIMEO, SO_SNDTIMEO})
    if (::setsockopt(made.get(), SOL_SOCKET, option, &timeout, sizeof timeout) != 0) return Errno{errno};
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  static_assert(std::string_view(kNamespacesSocket).size() < sizeof to.sun_path);
  std::strcpy(to.sun_path, kNamespacesSocket);
  if (::connect(made.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
    // A full queue of connections.
    return Errno{errno == EAGAIN ? ETIMEDOUT : errno};
  // systemd has called listen(2).
  ucred peer{};
  socklen_t length = sizeof peer;
  if (::getsockopt(made.get(), SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return Errno{errno};
  if (peer.uid != 0) return Errno{EPERM};
  return made;
}

int AskNamespacesNow(const StartRequest& request, int network, std::chrono::seconds patience,
                     Passed& passed) {
  const Result<Fd> service = ConnectNamespaces(patience);
  if (!service) return service.error();
  StartAnswer answer;
  int error = SendMessage(service->get(), std::as_bytes(std::span(&request, 1)), {&network, 1});
  if (error == 0)
    error = ReceiveMessage(service->get(), std::as_writable_bytes(std::span(&answer, 1)), passed);
  if (error == EPIPE || error == ECONNRESET) return ENOTCONN;
  if (error == EAGAIN) return ETIMEDOUT;
  if (error != 0) return error;
  return answer.error == 0 && !passed.fds[0].valid() ? EBADMSG : answer.error;
}

// After a request that was not answered in time, others fail immediately for a while: they would keep every
// worker waiting.
int AskNamespaces(int network, Passed& passed) {
  using Clock = std::chrono::steady_clock;
  constexpr Clock::duration kPause = std::chrono::seconds(30);
  static std::atomic<Clock::rep> silent_until{0};
  const auto now = Clock::now().time_since_epoch();
  if (now.count() < silent_until.load()) return ETIMEDOUT;
  const int error = AskNamespacesNow(kNetworkRequest, network, std::chrono::seconds(5), passed);
  if (error == ETIMEDOUT) silent_until = (Clock::now().time_since_epoch() + kPause).count();
  return error == ENOENT || error == ECONNREFUSED || error == EACCES ? EPERM : error;
}

}  // namespace

void UseStarter(int socket) {
  Starter& starter = TheStarter();
  const std::lock_guard guard(starter.mutex);
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);
  starter.socket = Fd(socket);
  starter.owes = false;
  starter.taken = true;
}

Result<StartAnswer> AskStarter(const StartRequest& request, std::span<const int> given, Passed& passed) {
  Starter& starter = TheStarter();
  const std::lock_guard guard(starter.mutex);
  if (!starter.socket.valid()) return Errno{ENOTCONN};
  StartAnswer answer;
  int error = TakeLateAnswers(starter);
  if (error == 0) error = SendMessage(starter.socket.get(), std::as_bytes(std::span(&request, 1)), given);
  if (error == 0) {
    error = ReceiveMessage(starter.socket.get(), std::as_writable_bytes(std::span(&answer, 1)), passed);
    starter.owes = error != 0 && error != EBADMSG;
  }
  if (error == EPIPE || error == ECONNRESET) {
    starter.socket = Fd();
    return Errno{ENOTCONN};
  }
  if (error != 0) return Errno{error == EAGAIN ? ETIMEDOUT : error};
  if (answer.error != 0) return Errno{answer.error};
  return answer;
}

int OpenNetwork(int network, Passed& passed) {
  if (!TheStarter().taken) return AskNamespaces(network, passed);
  return AskStarter(kNetworkRequest, {&network, 1}, passed).error();
}

int OpenConnector(std::uint32_t number, Fd& opened) {
  const Fd network(::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
  if (!network.valid()) return errno;
  Passed passed;
  // Asked once, and maybe while the machine starts.
  const int error = AskNamespacesNow({.what = StartWhat::kConnector, .value = number}, network.get(),
                                     std::chrono::seconds(10), passed);
  opened = std::move(passed.fds[0]);
  return error;
}

int BindThroughStarter(int socket, const sockaddr* address, socklen_t length) {
  StartRequest request{.what = StartWhat::kBind};
  if (!TheStarter().taken) return EACCES;
  if (length > sizeof request.address) return EINVAL;
  std::memcpy(&request.address, address, length);
  request.length = length;
  Passed passed;
  return AskStarter(request, {&socket, 1}, passed).error();
}

std::vector<pid_t> TakeLateChildren() {
  Starter& starter = TheStarter();
  const std::lock_guard guard(starter.late_mutex);
  return std::exchange(starter.late_children, {});
}

}  // namespace desk
