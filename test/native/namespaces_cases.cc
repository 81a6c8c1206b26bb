// The service desk-namespaces (desk-start namespaces) with the requests of a desk and of an attacker. Ends
// with 1 and the line of the first failed check.
//   namespaces_cases CASE DESK-START
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "case_checks.h"
#include "privilege/privileges.h"
#include "probe/sock_diag.h"
#include "start/namespaces.h"
#include "start/protocol.h"
#include "watch/connector.h"

namespace {

using desk::Fd;
using desk::Passed;
using desk::StartAnswer;
using desk::StartRequest;
using desk::StartWhat;

constexpr uid_t kOwner = 60915;
constexpr uid_t kOther = 60916;
constexpr StartRequest kRequest{.what = StartWhat::kNetwork};
constexpr StartRequest kEventsRequest{.what = StartWhat::kConnector, .value = 7};
// What it asks the kernel for, which keeps twice as much: socket(7).
constexpr std::uint32_t kEventBytes = 2 * (16U << 20);

std::string StatusOf(pid_t pid, std::string_view name) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name)) return line.substr(line.find('\t') + 1);
  return "";
}

template <typename Holds>
void Until(Holds holds, int line = __builtin_LINE()) {
  constexpr int kTries = 3000;
  for (int tries = 0; tries < kTries; ++tries) {
    if (holds()) return;
    ::usleep(10'000);
  }
  Check(false, line);
}

// A listening socket with a path, as systemd makes it.
struct Listener {
  explicit Listener(int type = SOCK_SEQPACKET) : Listener(type, Folder() + "/socket") {}
  explicit Listener(int type, std::string at)
      : made(::socket(AF_UNIX, type | SOCK_CLOEXEC, 0)), path(std::move(at)) {
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, path.c_str());
    Check(::bind(made.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    Check(::chmod(path.c_str(), 0666) == 0 && ::chown(path.c_str(), kOwner, 0) == 0);
    if (type != SOCK_DGRAM) Check(::listen(made.get(), 16) == 0);
  }
  ~Listener() {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    // /run of the case is a file system of its own.
    if (folder != "/run") std::filesystem::remove_all(folder);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  Fd made;
  std::string path;
  sockaddr_un address{};

 private:
  static std::string Folder() {
    char folder[] = "/tmp/desk-namespaces-XXXXXX";
    Check(::mkdtemp(folder) != nullptr && ::chmod(folder, 0755) == 0);
    return folder;
  }
};

// Starts it with this descriptor as number 3.
pid_t StartService(std::string program, int listener, const char* pid = nullptr) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::dup2(::open("/dev/null", O_RDWR), STDERR_FILENO);
  if (listener == 3)
    ::fcntl(3, F_SETFD, 0);
  else
    ::dup2(listener, 3);
  std::string word = "namespaces";
  char* words[] = {program.data(), word.data(), nullptr};
  std::string own = std::string("LISTEN_PID=") + (pid != nullptr ? pid : std::to_string(::getpid()).c_str());
  std::string number = "LISTEN_FDS=1";
  char* environment[] = {own.data(), number.data(), nullptr};
  ::execve(words[0], words, environment);
  ::_exit(EXIT_FAILURE);
}

class Service {
 public:
  explicit Service(const std::string& program) : pid_(StartService(program, listener_.made.get())) {}
  // Where the desk asks for it.
  Service(const std::string& program, std::string path)
      : listener_(SOCK_SEQPACKET, std::move(path)), pid_(StartService(program, listener_.made.get())) {}
  ~Service() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // A connection of this user: the kernel records who connects.
  Fd Connect(uid_t uid = kOwner) const {
    Fd made(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    Check(::seteuid(uid) == 0);
    const int connected = ::connect(made.get(), reinterpret_cast<const sockaddr*>(&listener_.address),
                                    sizeof listener_.address);
    Check(::seteuid(0) == 0);
    Check(connected == 0);
    const timeval patience{.tv_sec = 60, .tv_usec = 0};
    Check(::setsockopt(made.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0);
    return made;
  }
  static int Receive(const Fd& connection, Passed& passed) {
    StartAnswer answer{.error = -1, .pid = -1};
    Check(desk::ReceiveMessage(connection.get(), std::as_writable_bytes(std::span(&answer, 1)), passed) == 0);
    Check(answer.pid == 0 && (answer.error == 0) == passed.fds[0].valid());
    return answer.error;
  }
  int Ask(std::span<const std::byte> message, std::span<const int> fds, Passed& passed) const {
    const Fd connection = Connect();
    Check(desk::SendMessage(connection.get(), message, fds) == 0);
    return Receive(connection, passed);
  }
  int Ask(const StartRequest& request, int fd, Passed& passed) const {
    return Ask(std::as_bytes(std::span(&request, 1)), {&fd, fd < 0 ? std::size_t{0} : 1}, passed);
  }
  int Refusal(const StartRequest& request, int fd) const {
    Passed passed;
    return Ask(request, fd, passed);
  }
  pid_t pid() const { return pid_; }

 private:
  Listener listener_;
  pid_t pid_;
};

// A process in a network namespace of its own that listens on a port there, and that namespace.
class Elsewhere {
 public:
  Elsewhere() {
    int pair[2];
    Check(::pipe(pair) == 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      sockaddr_in address{};
      address.sin_family = AF_INET;
      const int made = ::unshare(CLONE_NEWNET) == 0 ? ::socket(AF_INET, SOCK_STREAM, 0) : -1;
      socklen_t length = sizeof address;
      ::bind(made, reinterpret_cast<const sockaddr*>(&address), sizeof address);
      ::listen(made, 1);
      ::getsockname(made, reinterpret_cast<sockaddr*>(&address), &length);
      const std::uint16_t port = ntohs(address.sin_port);
      Check(::write(pair[1], &port, sizeof port) == sizeof port);
      for (;;) ::pause();
    }
    Check(::read(pair[0], &port_, sizeof port_) == sizeof port_ && port_ != 0);
    ::close(pair[0]);
    ::close(pair[1]);
    network_ = Fd(::open(("/proc/" + std::to_string(pid_) + "/ns/net").c_str(), O_RDONLY | O_CLOEXEC));
    Check(network_.valid());
  }
  ~Elsewhere() { End(); }
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;
  void End() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  int network() const { return network_.get(); }
  std::uint16_t port() const { return port_; }

 private:
  pid_t pid_ = 0;
  std::uint16_t port_ = 0;
  Fd network_;
};

std::vector<std::uint16_t> Ports(Fd socket) {
  desk::SockDiag diag(std::move(socket));
  const auto sockets = diag.Dump(desk::kListenerQueries[0]);
  Check(sockets.ok());
  std::vector<std::uint16_t> ports;
  for (const desk::InetSocket& one : *sockets) ports.push_back(one.source_port);
  return ports;
}

// The kernel's answer to SOCK_DESTROY for a listener on this port, without capabilities: errno, 0 =
// destroyed.
int DestroyFrom(int socket, std::uint16_t port) {
  struct {
    nlmsghdr header;
    inet_diag_req_v2 request;
  } message{};
  message.header = {.nlmsg_len = sizeof message,
                    .nlmsg_type = SOCK_DESTROY,
                    .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
                    .nlmsg_seq = 1,
                    .nlmsg_pid = 0};
  message.request.sdiag_family = AF_INET;
  message.request.sdiag_protocol = IPPROTO_TCP;
  message.request.idiag_states = ~0U;
  message.request.id.idiag_sport = htons(port);
  message.request.id.idiag_cookie[0] = message.request.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  Check(::send(socket, &message, sizeof message, 0) == sizeof message);
  std::array<std::byte, 4096> bytes{};
  Check(::recv(socket, bytes.data(), bytes.size(), 0) > 0);
  nlmsghdr header{};
  nlmsgerr error{};
  std::memcpy(&header, bytes.data(), sizeof header);
  std::memcpy(&error, bytes.data() + NLMSG_HDRLEN, sizeof error);
  Check(header.nlmsg_type == NLMSG_ERROR);
  return -error.error;
}

void Answers(const std::string& program) {
  const Service service(program);
  Elsewhere elsewhere;
  Passed passed;
  Check(service.Ask(kRequest, elsewhere.network(), passed) == 0);
  // It has given up everything else, and answers from its own namespace again.
  for (const char* set : {"CapPrm", "CapEff"}) Check(StatusOf(service.pid(), set) == "0000000000201000");
  Check(StatusOf(service.pid(), "CapBnd") == "0000000000000000");
  Check(StatusOf(service.pid(), "NoNewPrivs") == "1");
  Check(std::filesystem::read_symlink("/proc/" + std::to_string(service.pid()) + "/ns/net") ==
        std::filesystem::read_symlink("/proc/self/ns/net"));
  std::array<char, 64> range{};
  Check(::read(passed.fds[1].get(), range.data(), range.size()) > 0);
  // Read only.
  Check(::write(passed.fds[1].get(), "1 2", 3) < 0 && errno == EBADF);
  const pid_t attacker = ::fork();
  if (attacker == 0) {
    Check(desk::LimitPrivileges({.uid = kOwner}) == 0);
    Check(DestroyFrom(passed.fds[0].get(), elsewhere.port()) == EPERM);
    ::_exit(EXIT_SUCCESS);
  }
  int status = 0;
  Check(::waitpid(attacker, &status, 0) == attacker && status == 0);
  Check(Ports(std::move(passed.fds[0])) == std::vector{elsewhere.port()});
  // The namespace outlives its process while a descriptor holds it: no pid is looked up.
  elsewhere.End();
  Passed late;
  Check(service.Ask(kRequest, elsewhere.network(), late) == 0);
  Check(Ports(std::move(late.fds[0])).empty());
}

// Whether this process is told of a child of its own that ends.
bool SeesAnEnd(desk::ProcConnector& connector) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(EXIT_SUCCESS);
  Check(::waitpid(child, nullptr, 0) == child);
  desk::ProcBatch batch;
  // The event is there when the parent has reaped, or a moment later.
  for (int tries = 0; tries < 100; ++tries) {
    do {
      connector.Receive(batch);
      Check(batch.broken == 0);
      for (const desk::ProcEvent& event : batch.events)
        if (event.kind == desk::ProcEventKind::kExit && event.pid == child) return true;
    } while (batch.more);
    pollfd readable{.fd = connector.fd(), .events = POLLIN, .revents = 0};
    ::poll(&readable, 1, 100);
  }
  return false;
}

// The rights of its opener are not those of its receiver.
void CannotChange(int socket) {
  const int bytes = 64 << 20;
  Check(::setsockopt(socket, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) < 0 && errno == EPERM);
  const int all = 1;
  Check(::setsockopt(socket, SOL_NETLINK, NETLINK_LISTEN_ALL_NSID, &all, sizeof all) < 0 && errno == EPERM);
}

// The desk under the account, without capabilities.
void AccountSees() {
  desk::ProcConnector first;
  Check(first.Open(0).empty());
  Check(first.BufferBytes() == kEventBytes);
  Check(SeesAnEnd(first));
  CannotChange(first.fd());
  // The subscription before it does not end with a second one, nor with the end of that.
  {
    desk::ProcConnector second;
    Check(second.Open(1 << 20).empty() && second.BufferBytes() < kEventBytes);
    Check(SeesAnEnd(second) && SeesAnEnd(first));
  }
  Check(SeesAnEnd(first));
}

void Events(const std::string& program) {
  // The desk asks at a fixed path.
  Check(::unshare(CLONE_NEWNS) == 0 && ::mount("", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
        ::mount("tmpfs", "/run", "tmpfs", 0, "mode=755") == 0);
  const auto as_account = [](auto work) {
    const pid_t child = ::fork();
    if (child == 0) {
      Check(desk::LimitPrivileges({.uid = kOwner}) == 0);
      work();
      ::_exit(EXIT_SUCCESS);
    }
    int status = 0;
    Check(::waitpid(child, &status, 0) == child && status == 0);
  };
  {
    const Service service(program, desk::kNamespacesSocket);
    as_account(AccountSees);
    Check(std::filesystem::read_symlink("/proc/" + std::to_string(service.pid()) + "/ns/net") ==
          std::filesystem::read_symlink("/proc/self/ns/net"));
  }
  std::filesystem::remove(desk::kNamespacesSocket);
  as_account([] {
    desk::ProcConnector own;
    const std::string reason = MessageOf(own.Open(0));
    // Open to all users since Linux 6.6, with the buffer that they may have.
    if (reason.empty())
      Check(own.BufferBytes() < kEventBytes);
    else
      Check(reason.starts_with("bind") &&
            reason.ends_with("desk-namespaces.service: request: the kernel refuses (ENOENT)"));
  });
}

void Hostile(const std::string& program) {
  const Service service(program);
  const Elsewhere elsewhere;
  const int network = elsewhere.network();
  Check(service.Refusal(kRequest, network) == 0);
  Until([&] { return DescriptorsOf(service.pid()).size() == 5; });
  const std::vector<int> before = DescriptorsOf(service.pid());

  for (const uid_t uid : {uid_t{0}, kOther}) {
    const Fd stranger = service.Connect(uid);
    Passed passed;
    Check(Service::Receive(stranger, passed) == EACCES);
  }
  Passed none;
  std::array<std::byte, 4096> garbage{};
  for (const std::size_t size : {std::size_t{1}, sizeof kRequest - 1, sizeof kRequest + 1, garbage.size()})
    Check(service.Ask(std::span(garbage).first(size), {&network, 1}, none) == EBADMSG);
  garbage.fill(std::byte{0xff});
  Check(service.Ask(std::span(garbage).first(sizeof kRequest), {&network, 1}, none) == EINVAL);
  for (const std::uint32_t what : {0U, 1U, 2U, 4U, 6U, 0xffff'ffffU})
    Check(service.Refusal({.what = static_cast<StartWhat>(what)}, network) == EINVAL);
  Check(service.Refusal({.what = StartWhat::kNetwork, .value = 1}, network) == EINVAL);
  Check(service.Refusal({.what = StartWhat::kNetwork, .length = 1}, network) == EINVAL);
  for (StartRequest addressed : {kRequest, kEventsRequest}) {
    addressed.address.ss_family = AF_INET;
    Check(service.Refusal(addressed, network) == EINVAL);
  }
  // The kernel has process events in the first network namespace only.
  Check(service.Refusal(kEventsRequest, network) == ECONNREFUSED);
  Check(service.Refusal(kEventsRequest, -1) == EBADF);

  Check(service.Refusal(kRequest, -1) == EBADF);
  for (const char* path :
       {"/dev/null", "/proc/self/ns/pid", "/proc/self/ns/mnt", "/proc/self/ns/user", "/"}) {
    const Fd wrong(::open(path, O_RDONLY | O_CLOEXEC));
    Check(wrong.valid() && service.Refusal(kRequest, wrong.get()) == EINVAL);
  }
  const std::array two{network, network};
  Check(service.Ask(std::as_bytes(std::span(&kRequest, 1)), two, none) == EINVAL);

  // Ends without a request, sends only half of a dialogue, or leaves without the answer.
  { const Fd silent = service.Connect(); }
  {
    const Fd asks = service.Connect();
    Check(desk::SendMessage(asks.get(), std::as_bytes(std::span(&kRequest, 1)), {&network, 1}) == 0);
  }
  // Waits: the next one is answered nevertheless.
  const Fd waits = service.Connect();
  Check(service.Refusal(kRequest, network) == 0);
  Check(Service::Receive(waits, none) == EAGAIN);
  Until([&] { return DescriptorsOf(service.pid()) == before; });
  Check(::waitpid(service.pid(), nullptr, WNOHANG) == 0);
}

void Refused(const std::string& program) {
  const auto ends = [](pid_t pid) {
    int status = 0;
    return ::waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAILURE;
  };
  const Listener good;
  Check(ends(StartService(program, good.made.get(), "1")));
  for (const int type : {SOCK_STREAM, SOCK_DGRAM}) {
    const Listener wrong(type);
    Check(ends(StartService(program, wrong.made.get())));
  }
  const Fd file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  Check(ends(StartService(program, file.get())));
  // An abstract name has no owner.
  const Fd abstract(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "desk-test-%d", ::getpid());
  Check(::bind(abstract.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
        ::listen(abstract.get(), 1) == 0);
  Check(ends(StartService(program, abstract.get())));
  // The file was replaced.
  const Listener replaced;
  std::filesystem::remove(replaced.path);
  std::ofstream(replaced.path) << "x";
  Check(ends(StartService(program, replaced.made.get())));
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return EXIT_FAILURE;
  const std::string_view what = words[1];
  if (what == "answers") Answers(words[2]);
  if (what == "events") Events(words[2]);
  if (what == "hostile") Hostile(words[2]);
  if (what == "refused") Refused(words[2]);
  return EXIT_SUCCESS;
}
