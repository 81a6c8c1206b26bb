// desk-start: starts the other programs of the desk with the privileges each one needs, and no more.
//
//   desk-start mail UID READS PROGRAM [WORD...]
//       Becomes PROGRAM under UID ("-": as it is), without capabilities but CAP_DAC_READ_SEARCH where READS
//       is 1.
//   desk-start serve UID PEEK-UID MAIL-UID PEEK PROGRAM [WORD...]
//       Runs beside a service that has given up the right to change to another uid: waits on descriptor 3 for
//       requests (start/protocol.h) and ends with the service. What it starts, and as whom, is fixed by its
//       arguments; what it starts are children of the service. Its environment is that of the mail process.
#include <fcntl.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "core/fd.h"
#include "core/text.h"
#include "privilege/privileges.h"
#include "start/protocol.h"

namespace {

using desk::Fd;
using desk::Passed;
using desk::PrivilegeLimit;
using desk::StartAnswer;
using desk::StartRequest;
using desk::StartWhat;

constexpr int kControl = 3;
constexpr int kChannel = 3;
constexpr int kCannotExecute = 127;  // as shells report it
constexpr std::uint16_t kFirstFreePort = 1024;

// What it hands on, what changing the uid and the bounding set takes, and what its two services take:
// setns(2) wants CAP_SYS_ADMIN, a port below 1024 CAP_NET_BIND_SERVICE.
constexpr desk::Capabilities kStarterCapabilities =
    desk::kPeekCapabilities |
    desk::CapabilityBits({CAP_SETUID, CAP_SETGID, CAP_SETPCAP, CAP_SYS_ADMIN, CAP_NET_BIND_SERVICE});

int Fail(const char* sentence) {
  static_cast<void>(std::fprintf(stderr, "desk-start: %s\n", sentence));
  return EXIT_FAILURE;
}

// "-" is no uid.
struct UidWord {
  bool valid = false;
  std::optional<uid_t> uid;
};

UidWord ParseUid(std::string_view word) {
  if (word == "-") return {.valid = true, .uid = std::nullopt};
  const std::optional<uid_t> uid = desk::ParseNumber<uid_t>(word);
  return {.valid = uid.has_value() && *uid != 0, .uid = uid};
}

// Where the uid is refused, as in a container, all else is given up.
int Limit(PrivilegeLimit limit) {
  if (const int error = desk::LimitPrivileges(limit); error != EPERM && error != EINVAL) return error;
  limit.uid.reset();
  return desk::LimitPrivileges(limit);
}

PrivilegeLimit MailLimit(std::optional<uid_t> uid, bool reads) {
  return {.kept = reads ? desk::kReadCapabilities : 0, .bounding = 0, .uid = uid, .over_exec = true};
}

int BecomeMail(std::optional<uid_t> uid, bool reads, char** words) {
  static_cast<void>(desk::ForbidCoreDumps());
  if (Limit(MailLimit(uid, reads)) != 0) return Fail("privileges cannot be given up");
  ::execv(words[0], words);
  return kCannotExecute;
}

struct Service {
  std::optional<uid_t> peek_uid;
  std::optional<uid_t> mail_uid;
  char* peek = nullptr;
  char** mail = nullptr;
};

// As after a start by a shell: nothing blocked, nothing ignored.
void RestoreSignals() {
  for (int signal = 1; signal < NSIG; ++signal) (void)std::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Puts `from` at `to`. Descriptors 0 to 2 are /dev/null already, and all others close at execve(2).
bool Place(int from, std::initializer_list<int> to) {
  // Out of the way of the places.
  const int held = ::fcntl(from, F_DUPFD_CLOEXEC, 16);
  if (held < 0) return false;
  for (const int place : to) {
    if (::dup2(held, place) < 0) return false;
  }
  return true;
}

[[noreturn]] void RunPeek(const Service& service, int channel) {
  char* words[] = {service.peek, nullptr};
  char* environment[] = {nullptr};
  if (Place(channel, {STDIN_FILENO, STDOUT_FILENO}) &&
      Limit({.kept = desk::kPeekCapabilities, .bounding = 0, .uid = service.peek_uid, .over_exec = true}) ==
          0)
    ::execve(words[0], words, environment);
  ::_exit(kCannotExecute);
}

[[noreturn]] void RunMail(const Service& service, int channel, bool reads) {
  if (Place(channel, {kChannel}) && Limit(MailLimit(service.mail_uid, reads)) == 0)
    ::execv(service.mail[0], service.mail);
  ::_exit(kCannotExecute);
}

StartAnswer Start(const Service& service, const StartRequest& request, const Fd& channel) {
  if (!channel.valid()) return {.error = EBADF, .pid = 0};
  // The child is one of the service: it reaps it, and so knows when its pid is another's.
  const auto pid = static_cast<pid_t>(::syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0));
  if (pid < 0) return {.error = errno, .pid = 0};
  if (pid > 0) return {.error = 0, .pid = pid};
  RestoreSignals();
  if (request.what == StartWhat::kPeek) RunPeek(service, channel.get());
  RunMail(service, channel.get(), request.value == 1);
}

int LookIntoNetwork(int network, int own, Passed& found) {
  if (network < 0) return EBADF;
  if (::setns(network, CLONE_NEWNET) != 0) return errno;
  found.fds[0] = Fd(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  const int error = found.fds[0].valid() ? 0 : errno;
  found.fds[1] = Fd(::open("/proc/sys/net/ipv4/ip_local_port_range", O_RDONLY | O_CLOEXEC));
  // If this fails, later binds would happen in the wrong namespace.
  if (::setns(own, CLONE_NEWNET) != 0) ::_exit(EXIT_FAILURE);
  return error;
}

std::uint16_t PortOf(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return 0;
}

int BindPort(const StartRequest& request, Passed& bound) {
  const std::uint16_t port = PortOf(request.address);
  if (port == 0 || port >= kFirstFreePort || request.length > sizeof request.address) return EINVAL;
  Fd made(::socket(request.address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!made.valid()) return errno;
  const int on = 1;
  if (::setsockopt(made.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0) return errno;
  if (::bind(made.get(), reinterpret_cast<const sockaddr*>(&request.address), request.length) != 0)
    return errno;
  bound.fds[0] = std::move(made);
  return 0;
}

StartAnswer Serve(const Service& service, const StartRequest& request, const Passed& given, int own,
                  Passed& result) {
  switch (request.what) {
    case StartWhat::kPeek:
    case StartWhat::kMail:
      return Start(service, request, given.fds[0]);
    case StartWhat::kNetwork:
      return {.error = LookIntoNetwork(given.fds[0].get(), own, result), .pid = 0};
    case StartWhat::kBind:
      return {.error = BindPort(request, result), .pid = 0};
  }
  return {.error = EINVAL, .pid = 0};
}

int Serve(std::optional<uid_t> uid, const Service& service) {
  // Those of a terminal and of systemd reach the service too, and it ends this program by closing the socket.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2})
    (void)std::signal(signal, SIG_IGN);
  ::fcntl(kControl, F_SETFD, FD_CLOEXEC);
  static_cast<void>(desk::ForbidCoreDumps());
  const Fd own(::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
  if (Limit({.kept = kStarterCapabilities, .bounding = desk::kPeekCapabilities, .uid = uid}) != 0)
    return Fail("privileges cannot be given up");
  desk::ForbidTracing();
  // A change of uid clears this signal.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  StartAnswer answer{.error = 0, .pid = ::getpid()};
  Passed result;
  for (;;) {
    int passed[desk::kMostPassed] = {};
    std::size_t count = 0;
    while (count < desk::kMostPassed && result.fds[count].valid()) {
      passed[count] = result.fds[count].get();
      ++count;
    }
    if (desk::SendMessage(kControl, std::as_bytes(std::span(&answer, 1)), {passed, count}) != 0)
      return EXIT_SUCCESS;
    StartRequest request;
    Passed given;
    const int error = desk::ReceiveMessage(kControl, std::as_writable_bytes(std::span(&request, 1)), given);
    if (error == EPIPE) return EXIT_SUCCESS;
    result = {};
    answer = error != 0 ? StartAnswer{.error = error, .pid = 0}
                        : Serve(service, request, given, own.get(), result);
  }
}

}  // namespace

int main(int count, char** words) {
  constexpr int kMailWords = 5;
  constexpr int kServeWords = 7;
  const std::string_view what = count > 1 ? words[1] : "";
  if (what == "mail" && count >= kMailWords) {
    const UidWord uid = ParseUid(words[2]);
    if (uid.valid) return BecomeMail(uid.uid, std::string_view(words[3]) == "1", words + kMailWords - 1);
  }
  if (what == "serve" && count >= kServeWords) {
    const UidWord own = ParseUid(words[2]);
    const UidWord peek = ParseUid(words[3]);
    const UidWord mail = ParseUid(words[4]);
    if (own.valid && peek.valid && mail.valid)
      return Serve(
          own.uid,
          {.peek_uid = peek.uid, .mail_uid = mail.uid, .peek = words[5], .mail = words + kServeWords - 1});
  }
  return Fail("it is started by the desk, not by hand");
}
