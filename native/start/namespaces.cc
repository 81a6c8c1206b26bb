#include "start/namespaces.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

#include "core/fd.h"
#include "core/text.h"
#include "privilege/privileges.h"
#include "start/network.h"
#include "start/protocol.h"

namespace desk {
namespace {

// The first descriptor that systemd passes: SD_LISTEN_FDS_START.
constexpr int kListener = 3;
// A caller that does not send or read for so long gives way to the next.
constexpr timeval kPatience{.tv_sec = 2, .tv_usec = 0};
// The pause after a lack of memory or descriptors, which may pass.
constexpr useconds_t kShortageMicroseconds = 100'000;
// CAP_SYS_ADMIN for setns(2). CAP_NET_ADMIN for an event buffer beyond net.core.rmem_max, and before
// Linux 6.6 for the proc connector itself.
constexpr Capabilities kCapabilities = CapabilityBits({CAP_SYS_ADMIN, CAP_NET_ADMIN});

bool IsEnvironmentNumber(const char* name, pid_t wanted) {
  const char* const text = std::getenv(name);
  return text != nullptr && ParseNumber<pid_t>(text) == wanted;
}

bool IsShortage(int error) {
  return error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOBUFS;
}

int Option(int socket, int name) {
  int value = -1;
  socklen_t length = sizeof value;
  return ::getsockopt(socket, SOL_SOCKET, name, &value, &length) == 0 ? value : -1;
}

// The owner of the file of a listening socket; nothing for any other descriptor.
std::optional<uid_t> OwnerOf(int listener) {
  if (Option(listener, SO_DOMAIN) != AF_UNIX || Option(listener, SO_TYPE) != SOCK_SEQPACKET ||
      Option(listener, SO_ACCEPTCONN) != 1)
    return std::nullopt;
  sockaddr_un address{};
  socklen_t length = sizeof address;
  if (::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length) != 0) return std::nullopt;
  // A path ends with a NUL byte within sun_path, an abstract name begins with one.
  if (length > sizeof address || address.sun_path[0] != '/' ||
      ::strnlen(address.sun_path, sizeof address.sun_path) == sizeof address.sun_path)
    return std::nullopt;
  struct stat about {};
  if (::lstat(address.sun_path, &about) != 0 || !S_ISSOCK(about.st_mode)) return std::nullopt;
  return about.st_uid;
}

bool IsFrom(int connection, uid_t owner) {
  ucred peer{};
  socklen_t length = sizeof peer;
  return ::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == owner;
}

// Whom it answers, and where it goes back to.
struct Helper {
  uid_t owner;
  Fd own;
  // Has made a subscription to process events.
  bool subscribed = false;
};

// All that a request does not use must be zero.
bool IsAnswered(const StartRequest& request) {
  const sockaddr_storage none{};
  return ((request.what == StartWhat::kNetwork && request.value == 0) ||
          request.what == StartWhat::kConnector) &&
         request.length == 0 && std::memcmp(&request.address, &none, sizeof none) == 0;
}

int Answer(int connection, Helper& helper, Passed& found) {
  if (!IsFrom(connection, helper.owner)) return EACCES;
  StartRequest request;
  Passed given;
  if (const int error = ReceiveMessage(connection, std::as_writable_bytes(std::span(&request, 1)), given);
      error != 0)
    return error;
  if (!IsAnswered(request) || given.fds[1].valid()) return EINVAL;
  const int network = given.fds[0].get();
  if (request.what == StartWhat::kNetwork) return OpenInNetwork(network, helper.own.get(), found);
  const int error =
      OpenConnectorInNetwork(network, helper.own.get(), request.value, helper.subscribed, found);
  helper.subscribed = helper.subscribed || error == 0;
  return error;
}

void ServeConnection(int connection, Helper& helper) {
  if (::setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience) != 0 ||
      ::setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience) != 0)
    return;
  Passed found;
  const StartAnswer answer{.error = Answer(connection, helper, found), .pid = 0};
  std::array<int, kMostPassed> passed{};
  std::size_t count = 0;
  if (answer.error == 0)
    while (count < kMostPassed && found.fds[count].valid()) {
      passed[count] = found.fds[count].get();
      ++count;
    }
  static_cast<void>(SendMessage(connection, std::as_bytes(std::span(&answer, 1)), {passed.data(), count}));
}

}  // namespace

const char* ServeNamespaces() {
  if (!IsEnvironmentNumber("LISTEN_PID", ::getpid()) || !IsEnvironmentNumber("LISTEN_FDS", 1))
    return "it is started by desk-namespaces.socket, not by hand";
  const std::optional<uid_t> owner = OwnerOf(kListener);
  if (!owner) return "descriptor 3 is not a listening SOCK_SEQPACKET socket with a path";
  if (CloseDescriptorsFrom(kListener + 1) != 0) return "descriptors cannot be closed";
  Helper helper{.owner = *owner, .own = Fd(::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC))};
  if (!helper.own.valid()) return "the own network namespace cannot be opened";
  const Result<Capabilities> held = PermittedCapabilities();
  if (!held) return "the own capabilities cannot be read";
  // In the unit there are no others, and its filter forbids capset(2).
  if ((*held & ~kCapabilities) != 0 &&
      LimitPrivileges({.kept = kCapabilities, .bounding = 0, .uid = std::nullopt}) != 0)
    return "privileges cannot be given up";
  static_cast<void>(ForbidCoreDumps());
  ForbidTracing();
  for (;;) {
    const Fd connection(::accept4(kListener, nullptr, nullptr, SOCK_CLOEXEC));
    if (connection.valid())
      ServeConnection(connection.get(), helper);
    else if (IsShortage(errno))
      ::usleep(kShortageMicroseconds);
    else if (errno != EINTR && errno != ECONNABORTED)
      return "no connection can be accepted";
  }
}

}  // namespace desk
