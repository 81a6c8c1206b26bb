// desk-start itself, with the requests that the service sends. seccomp(2) filters refuse calls, as some
// kernels and containers do. Ends with 1 and the line of the first failed check.
//   starter_cases CASE DESK-START DESK-PEEK
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "case_checks.h"
#include "privilege/privileges.h"
#include "start/protocol.h"

namespace {

using desk::Fd;
using desk::Passed;
using desk::StartAnswer;
using desk::StartRequest;
using desk::StartWhat;

constexpr int kInherited = 700;
constexpr uid_t kStart = 60906;
constexpr uid_t kPeek = 60907;

// An open descriptor, as a shell may leave behind.
void LeaveOpen() {
  const int made = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  Check(::dup2(made, kInherited) == kInherited);
  ::close(made);
}

class Starter {
 public:
  Starter(std::string program, std::string_view mail_uid, std::string script) {
    desk::Result<desk::StarterChannel> channel = desk::MakeStarterChannel();
    Check(channel.ok());
    pid_ = ::fork();
    if (pid_ == 0) {
      const int out = ::open("/dev/null", O_RDWR);
      for (const int fd : {0, 1, 2}) ::dup2(out, fd);
      ::dup2((*channel).theirs.get(), 3);
      std::string uid(mail_uid);
      std::string serve = "serve", start = std::to_string(kStart), peek = std::to_string(kPeek);
      std::string peek_program = "/nonexistent", shell = "/bin/sh", option = "-c";
      char* words[] = {program.data(),      serve.data(), start.data(),  peek.data(),   uid.data(),
                       peek_program.data(), shell.data(), option.data(), script.data(), nullptr};
      ::execv(words[0], words);
      ::_exit(EXIT_FAILURE);
    }
    socket_ = std::move((*channel).ours);
    (*channel).theirs = Fd();
    StartAnswer ready;
    Passed none;
    Check(desk::ReceiveMessage(socket_.get(), std::as_writable_bytes(std::span(&ready, 1)), none) == 0);
    Check(ready.pid == pid_);
  }
  Starter(const Starter&) = delete;
  Starter& operator=(const Starter&) = delete;
  ~Starter() {
    socket_ = Fd();
    ::waitpid(pid_, nullptr, 0);
  }

  StartAnswer Ask(const StartRequest& request, int fd, Passed& passed) {
    Check(desk::SendMessage(socket_.get(), std::as_bytes(std::span(&request, 1)),
                            {&fd, fd < 0 ? std::size_t{0} : 1}) == 0);
    StartAnswer answer;
    Check(desk::ReceiveMessage(socket_.get(), std::as_writable_bytes(std::span(&answer, 1)), passed) == 0);
    return answer;
  }
  int Bind(const StartRequest& request, int fd) {
    Passed passed;
    const int error = Ask(request, fd, passed).error;
    Check(!passed.fds[0].valid());
    return error;
  }
  // What the mail process, here a script, writes into its channel.
  std::string Mail() {
    int pair[2];
    Check(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
    const Fd ours(pair[0]);
    Fd theirs(pair[1]);
    Passed none;
    const StartAnswer answer = Ask({.what = StartWhat::kMail, .value = 1}, theirs.get(), none);
    Check(answer.error == 0 && answer.pid > 0);
    theirs = Fd();
    std::string text;
    std::array<char, 512> part{};
    for (ssize_t got = 0; (got = ::read(ours.get(), part.data(), part.size())) > 0;)
      text.append(part.data(), static_cast<std::size_t>(got));
    int status = 0;
    // A child of this process, not of desk-start.
    Check(::waitpid(answer.pid, &status, 0) == answer.pid && status == 0);
    return text;
  }
  pid_t pid() const { return pid_; }

 private:
  Fd socket_;
  pid_t pid_ = 0;
};

StartRequest BindTo(std::uint16_t port) {
  StartRequest request{.what = StartWhat::kBind};
  auto& address = reinterpret_cast<sockaddr_in&>(request.address);
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  request.length = sizeof address;
  return request;
}

std::uint16_t PortOf(int socket) {
  sockaddr_in address{};
  socklen_t length = sizeof address;
  Check(::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length) == 0);
  return ntohs(address.sin_port);
}

std::uint16_t FreePort(int type) {
  for (std::uint16_t port = 1023; port > 0; --port) {
    const Fd tried(::socket(AF_INET, type | SOCK_CLOEXEC, 0));
    const StartRequest request = BindTo(port);
    if (::bind(tried.get(), reinterpret_cast<const sockaddr*>(&request.address), request.length) == 0)
      return port;
  }
  return 0;
}

void Binds(const std::string& program) {
  Starter starter(program, "60908", "true");
  for (const int type : {SOCK_STREAM, SOCK_DGRAM}) {
    const std::uint16_t port = FreePort(type);
    const Fd made(::socket(AF_INET, type | SOCK_CLOEXEC, 0));
    Check(starter.Bind(BindTo(port), made.get()) == 0);
    Check(PortOf(made.get()) == port);
    // Its owner in the tables of the kernel.
    struct stat about {};
    Check(::fstat(made.get(), &about) == 0 && about.st_uid == 0);
    const Fd second(::socket(AF_INET, type | SOCK_CLOEXEC, 0));
    Check(starter.Bind(BindTo(port), second.get()) == EADDRINUSE);
    Check(starter.Bind(BindTo(FreePort(type)), made.get()) == EINVAL);
  }
  const StartRequest fits = BindTo(FreePort(SOCK_STREAM));
  const Fd tcp(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const Fd tcp6(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const Fd local(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const Fd raw(::socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP));
  const Fd file(::open("/dev/null", O_RDWR | O_CLOEXEC));
  Check(starter.Bind(fits, -1) == EBADF);
  for (const int wrong : {tcp6.get(), local.get(), raw.get(), file.get()})
    if (wrong >= 0) Check(starter.Bind(fits, wrong) == EINVAL);
  StartRequest unfit = fits;
  unfit.length = sizeof unfit.address;
  Check(starter.Bind(unfit, tcp.get()) == EINVAL);
  unfit.length = 0;
  Check(starter.Bind(unfit, tcp.get()) == EINVAL);
  Check(starter.Bind(BindTo(0), tcp.get()) == EINVAL);
  Check(PortOf(tcp.get()) == 0);
}

void Descriptors(const std::string& program) {
  LeaveOpen();
  Starter starter(program, "60908", "ls /proc/self/fd >&3; exec 3>&-");
  const std::vector<int> before = DescriptorsOf(starter.pid());
  Check(before.size() == 5 && before.back() < kInherited);
  const Fd network(::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
  Passed passed;
  Check(starter.Ask({.what = StartWhat::kNetwork}, network.get(), passed).error == 0);
  Check(passed.fds[0].valid() && passed.fds[1].valid());
  // It may still be busy for a moment after its answer.
  for (int tries = 0; tries < 200 && DescriptorsOf(starter.pid()) != before; ++tries) ::usleep(10'000);
  Check(DescriptorsOf(starter.pid()) == before);
  // Number 4 is the folder that ls reads.
  Check(starter.Mail() == "0\n1\n2\n3\n4\n");
}

void MailUid(const std::string& program) {
  for (const std::string_view uid : {"0", "60908"}) {
    Starter starter(program, uid, "exec sed -n 's/^[UG]id://p;s/^Cap[PB][rn][md]://p' /proc/self/status >&3");
    const std::string text = starter.Mail();
    const std::string own = "\t" + std::string(uid);
    // Real, effective, saved and file system uid and gid; CAP_DAC_READ_SEARCH and no other.
    Check(text == own + own + own + own + "\n" + own + own + own + own + "\n\t0000000000000004\n" +
                      "\t0000000000000000\n");
  }
}

void Refuse(std::initializer_list<std::pair<int, int>> calls) {
  std::vector<sock_filter> filter{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const auto& [number, error] : calls) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{.len = static_cast<unsigned short>(filter.size()), .filter = filter.data()};
  Check(::prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) == 0);
  Check(::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

// As on kernels before Linux 5.9.
void OldKernel() {
  Refuse({{SYS_close_range, ENOSYS}});
  LeaveOpen();
  Check(desk::CloseDescriptorsFrom(kInherited) == 0);
  Check(::fcntl(kInherited, F_GETFD) == -1 && errno == EBADF);
  Check(::fcntl(STDOUT_FILENO, F_GETFD) != -1);
}

// A program that cannot give up its privileges ends.
void Refused(std::string start, std::string peek) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{peek}, std::vector<std::string>{start, "mail", "-", "1", "/bin/true"}}) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      Refuse({{SYS_capset, EPERM}});
      std::vector<char*> all;
      for (const std::string& word : words) all.push_back(const_cast<char*>(word.data()));
      all.push_back(nullptr);
      ::close(STDERR_FILENO);
      ::close(STDIN_FILENO);
      ::execv(all[0], all.data());
      ::_exit(EXIT_SUCCESS);
    }
    int status = 0;
    Check(::waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAILURE);
  }
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return EXIT_FAILURE;
  const std::string_view what = words[1];
  if (what == "binds") Binds(words[2]);
  if (what == "descriptors") Descriptors(words[2]);
  if (what == "uids") MailUid(words[2]);
  if (what == "old") OldKernel();
  if (what == "refused") Refused(words[2], words[3]);
  return EXIT_SUCCESS;
}
