// desk-start: starts the other programs of the desk with the privileges each one needs, and no more.
//
//   desk-start mail UID READS PROGRAM [WORD...]
//       Becomes PROGRAM under UID ("-": unchanged), without capabilities except CAP_DAC_READ_SEARCH if READS
//       is 1. Only descriptors 0 to 3 stay open.
//   desk-start serve UID PEEK-UID MAIL-UID PEEK PROGRAM [WORD...]
//       Runs beside a service that has given up the right to change to another uid: waits on descriptor 3 for
//       requests (start/protocol.h) and ends with the service. Its arguments fix what it starts, and under
//       which uid; the processes are children of the service. MAIL-UID may be 0, that of the service. Its
//       environment is that of the mail process.
//   desk-start namespaces
//       The service desk-namespaces (start/namespaces.h).
#include <fcntl.h>
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
#include "start/namespaces.h"
#include "start/network.h"
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
constexpr uid_t kServiceUid = 0;
constexpr int kCannotExecute = 127;  // as shells report it

// The capabilities it passes on, those for changing the uid and the bounding set, and those of its two
// services: setns(2) needs CAP_SYS_ADMIN, bind(2) below ip_unprivileged_port_start CAP_NET_BIND_SERVICE.
constexpr desk::Capabilities kStarterCapabilities =
    desk::kPeekCapabilities |
    desk::CapabilityBits({CAP_SETUID, CAP_SETGID, CAP_SETPCAP, CAP_SYS_ADMIN, CAP_NET_BIND_SERVICE});

int Fail(const char* message) {
  static_cast<void>(std::fprintf(stderr, "desk-start: %s\n", message));
  return EXIT_FAILURE;
}

// "-" means no uid.
struct UidWord {
  bool valid = false;
  std::optional<uid_t> uid;
};

UidWord ParseUid(std::string_view word) {
  if (word == "-") return {.valid = true, .uid = std::nullopt};
  const std::optional<uid_t> uid = desk::ParseNumber<uid_t>(word);
  return {.valid = uid.has_value(), .uid = uid};
}

PrivilegeLimit MailLimit(std::optional<uid_t> uid, bool reads) {
  return {.kept = reads ? desk::kReadCapabilities : 0, .bounding = 0, .uid = uid, .over_exec = true};
}

int BecomeMail(std::optional<uid_t> uid, bool reads, char** words) {
  static_cast<void>(desk::ForbidCoreDumps());
  if (desk::CloseDescriptorsFrom(kChannel + 1) != 0) return Fail("descriptors cannot be closed");
  if (desk::LimitPrivilegesAnyUid(MailLimit(uid, reads)) != 0) return Fail("privileges cannot be given up");
  ::execv(words[0], words);
  return kCannotExecute;
}

struct Service {
  std::optional<uid_t> peek_uid;
  std::optional<uid_t> mail_uid;
  char* peek = nullptr;
  char** mail = nullptr;
};

// Restores the defaults: nothing blocked, nothing ignored.
void RestoreSignals() {
  for (int signal = 1; signal < NSIG; ++signal) (void)std::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// A child never keeps the uid of this program: if its own is refused, it gets that of the service.
int LimitChild(const PrivilegeLimit& limit) {
  return desk::LimitPrivilegesAnyUid(limit,
                                     ::geteuid() == 0 ? std::nullopt : std::optional<uid_t>(kServiceUid));
}

// Puts `from` at `to`. Descriptors 0 to 2 are /dev/null already, and all others close at execve(2): those
// that came with this program are closed.
bool Place(int from, std::initializer_list<int> to) {
  // Above all target descriptors.
  const int held = ::fcntl(from, F_DUPFD_CLOEXEC, 16);
  if (held < 0) return false;
  for (const int place : to)
    if (::dup2(held, place) < 0) return false;
  return true;
}

[[noreturn]] void RunPeek(const Service& service, int channel) {
  char* words[] = {service.peek, nullptr};
  char* environment[] = {nullptr};
  if (Place(channel, {STDIN_FILENO, STDOUT_FILENO}) &&
      LimitChild(
          {.kept = desk::kPeekCapabilities, .bounding = 0, .uid = service.peek_uid, .over_exec = true}) == 0)
    ::execve(words[0], words, environment);
  ::_exit(kCannotExecute);
}

[[noreturn]] void RunMail(const Service& service, int channel, bool reads) {
  if (Place(channel, {kChannel}) && LimitChild(MailLimit(service.mail_uid, reads)) == 0)
    ::execv(service.mail[0], service.mail);
  ::_exit(kCannotExecute);
}

StartAnswer Start(const Service& service, const StartRequest& request, const Fd& channel) {
  if (!channel.valid()) return {.error = EBADF, .pid = 0};
  // A child of the service, which reaps it and so knows when its pid is reused.
  const auto pid = static_cast<pid_t>(::syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0));
  if (pid < 0) return {.error = errno, .pid = 0};
  if (pid > 0) return {.error = 0, .pid = pid};
  RestoreSignals();
  if (request.what == StartWhat::kPeek) RunPeek(service, channel.get());
  RunMail(service, channel.get(), request.value == 1);
}

int Option(int socket, int name) {
  int value = -1;
  socklen_t length = sizeof value;
  return ::getsockopt(socket, SOL_SOCKET, name, &value, &length) == 0 ? value : -1;
}

// Size of an IP address with a port, 0 for any other.
socklen_t SizeOf(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET)
    return reinterpret_cast<const sockaddr_in&>(address).sin_port == 0 ? 0 : sizeof(sockaddr_in);
  if (address.ss_family == AF_INET6)
    return reinterpret_cast<const sockaddr_in6&>(address).sin6_port == 0 ? 0 : sizeof(sockaddr_in6);
  return 0;
}

// bind(2) refuses a socket that is already bound.
int BindSocket(const StartRequest& request, int socket) {
  if (socket < 0) return EBADF;
  const int protocol = Option(socket, SO_PROTOCOL);
  const bool fits = (protocol == IPPROTO_TCP || protocol == IPPROTO_UDP) &&
                    Option(socket, SO_DOMAIN) == request.address.ss_family && request.length != 0 &&
                    request.length == SizeOf(request.address);
  if (!fits) return EINVAL;
  return ::bind(socket, reinterpret_cast<const sockaddr*>(&request.address), request.length) == 0 ? 0 : errno;
}

StartAnswer Serve(const Service& service, const StartRequest& request, const Passed& given, int own,
                  Passed& result) {
  switch (request.what) {
    case StartWhat::kPeek:
    case StartWhat::kMail: return Start(service, request, given.fds[0]);
    case StartWhat::kNetwork:
      return {.error = desk::OpenInNetwork(given.fds[0].get(), own, result), .pid = 0};
    case StartWhat::kBind: return {.error = BindSocket(request, given.fds[0].get()), .pid = 0};
    // The service of root opens its own.
    case StartWhat::kConnector: break;
  }
  return {.error = EINVAL, .pid = 0};
}

int Serve(std::optional<uid_t> uid, const Service& service) {
  // Signals of a terminal and of systemd also reach the service, which ends this program by closing the
  // socket.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2})
    (void)std::signal(signal, SIG_IGN);
  ::fcntl(kControl, F_SETFD, FD_CLOEXEC);
  static_cast<void>(desk::ForbidCoreDumps());
  if (desk::CloseDescriptorsFrom(kControl + 1) != 0) return Fail("descriptors cannot be closed");
  const Fd own(::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
  if (desk::LimitPrivilegesAnyUid(
          {.kept = kStarterCapabilities, .bounding = desk::kPeekCapabilities, .uid = uid}) != 0)
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
    // A socket of another network namespace keeps it alive.
    result = {};
    StartRequest request;
    Passed given;
    const int error = desk::ReceiveMessage(kControl, std::as_writable_bytes(std::span(&request, 1)), given);
    if (error == EPIPE) return EXIT_SUCCESS;
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
    if (uid.valid && uid.uid != kServiceUid)
      return BecomeMail(uid.uid, std::string_view(words[3]) == "1", words + kMailWords - 1);
  }
  if (what == "serve" && count >= kServeWords) {
    const UidWord own = ParseUid(words[2]);
    const UidWord peek = ParseUid(words[3]);
    const UidWord mail = ParseUid(words[4]);
    const auto is_other = [](const UidWord& word) { return word.uid && *word.uid != kServiceUid; };
    if (is_other(own) && is_other(peek) && mail.uid)
      return Serve(
          own.uid,
          {.peek_uid = peek.uid, .mail_uid = mail.uid, .peek = words[5], .mail = words + kServeWords - 1});
  }
  if (what == "namespaces" && count == 2) return Fail(desk::ServeNamespaces());
  return Fail("it is started by the desk, not by hand");
}
