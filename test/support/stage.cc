// A stage for shutdowns: starts processes that listen, idle, connect and hand their socket to each other,
// puts an innocent process under the number of one that it ended, and reports which process was ended by
// which signal. All end when the stage does.
//
// clang-format off
// Usage: stage                    commands on stdin, one answer line for each on stdout
//        stage -- PROGRAM ARG…    the same over descriptors 3 (answers) and 4 (commands) of PROGRAM; ends with its status
//   listen PORT [stubborn] [kids=N] [uid=N]   a TCP listener on 127.0.0.1; kids inherit it. Answers its pid and theirs
//   own PORT | disown             the stage itself listens, or stops
//   idle [PATH]                   a process that does nothing, as the program PATH (a copy of this one)
//   connect PORT                  a client that connects and waits
//   pass FROM TO | share FROM TO  FROM sends its socket to TO (SCM_RIGHTS) and closes it, or keeps it
//   take FROM TO                  TO receives the socket of FROM (SCM_RIGHTS); FROM = 0 means the stage's own
//   swap PID [PORT]               ends PID and puts an idle process (listening on PORT) under its number: needs
//                                 CAP_CHECKPOINT_RESTORE or CAP_SYS_ADMIN over the pid namespace
//   dead                          PID:SIGNAL of everyone who ended otherwise than by this stage
// clang-format on
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

[[noreturn]] void Fail(const std::string& what) {
  fprintf(stderr, "stage: %s: %s\n", what.c_str(), strerror(errno));
  _exit(1);
}

int Must(int result, const std::string& what) {
  if (result < 0) Fail(what);
  return result;
}

struct Member {
  int control = -1;
};

std::map<pid_t, Member> members;
// Ended on purpose: their end is not reported.
std::map<pid_t, bool> ended;
std::string dead;
int own_socket = -1;

void SendFd(int to, char byte, int fd) {
  iovec part{&byte, 1};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof fd)] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (fd >= 0) {
    message.msg_control = space;
    message.msg_controllen = sizeof space;
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(header), &fd, sizeof fd);
  }
  Must(static_cast<int>(sendmsg(to, &message, MSG_NOSIGNAL)), "sendmsg");
}

// The byte, 0 at the end; a descriptor that came with it in `fd`.
char ReceiveFd(int from, int& fd) {
  char byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof fd)] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  ssize_t got = 0;
  do got = recvmsg(from, &message, 0);
  while (got < 0 && errno == EINTR);
  fd = -1;
  if (got <= 0) return 0;
  if (const cmsghdr* const header = CMSG_FIRSTHDR(&message)) memcpy(&fd, CMSG_DATA(header), sizeof fd);
  return byte;
}

int Listen(int port) {
  const int fd = Must(socket(AF_INET, SOCK_STREAM, 0), "socket");
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<std::uint16_t>(port));
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  Must(bind(fd, reinterpret_cast<sockaddr*>(&at), sizeof at), "bind");
  Must(listen(fd, 16), "listen");
  return fd;
}

// Holds `held` (-1 = nothing) and obeys: g give it away, k give a copy, t take one. Ends with its stage.
[[noreturn]] void Obey(int control, int held) {
  for (;;) {
    int fd = -1;
    switch (ReceiveFd(control, fd)) {
      case 0: _exit(0);
      case 'g':
        SendFd(control, 'x', held);
        close(held);
        held = -1;
        SendFd(control, 'a', -1);
        break;
      case 'k':
        SendFd(control, 'x', held);
        SendFd(control, 'a', -1);
        break;
      case 't':
        held = fd;
        SendFd(control, 'a', -1);
        break;
      default: _exit(2);
    }
  }
}

void DieWithStage() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == 0) _exit(0);
}

// Forks a member that does `work` and then obeys; the answer comes when it is ready. -1 when the number is
// not `wanted`.
template <class Work>
pid_t Start(Work&& work, pid_t wanted = 0) {
  int pair[2];
  Must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), "socketpair");
  const pid_t child = Must(fork(), "fork");
  if (child == 0) {
    DieWithStage();
    close(pair[0]);
    if (own_socket >= 0) close(own_socket);
    for (const auto& [pid, member] : members) close(member.control);
    if (wanted != 0 && getpid() != wanted) _exit(3);
    const int held = work(pair[1]);
    SendFd(pair[1], 'r', -1);
    Obey(pair[1], held);
  }
  close(pair[1]);
  int ignored = -1;
  const char ready = ReceiveFd(pair[0], ignored);
  if (ready != 'r') {
    close(pair[0]);
    waitpid(child, nullptr, 0);
    if (wanted != 0) return -1;
    errno = ECHILD;
    Fail("member");
  }
  members[child] = {pair[0]};
  return child;
}

void Reap() {
  int status = 0;
  for (pid_t pid = 0; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
    if (ended.erase(pid) == 0) {
      dead += (dead.empty() ? "" : " ") + std::to_string(pid) + ":" +
              std::to_string(WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    }
    if (const auto found = members.find(pid); found != members.end()) {
      close(found->second.control);
      members.erase(found);
    }
  }
}

Member& MemberOf(pid_t pid) {
  const auto found = members.find(pid);
  if (found == members.end()) {
    errno = ESRCH;
    Fail("member " + std::to_string(pid));
  }
  return found->second;
}

void Pass(pid_t from, pid_t to, bool keep) {
  int fd = -1, ignored = -1;
  if (from == 0) {
    fd = dup(own_socket);
  } else {
    const int control = MemberOf(from).control;
    SendFd(control, keep ? 'k' : 'g', -1);
    ReceiveFd(control, fd);
    ReceiveFd(control, ignored);
  }
  const int control = MemberOf(to).control;
  SendFd(control, 't', fd);
  ReceiveFd(control, ignored);
  close(fd);
}

void End(pid_t pid) {
  ended[pid] = true;
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  ended.erase(pid);
  close(MemberOf(pid).control);
  members.erase(pid);
}

// Forks until the number comes; ns_last_pid(5 of the kernel's sysctl) is the number given last.
std::string Swap(pid_t pid, int port) {
  End(pid);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const int last = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC);
    if (last < 0) Fail("ns_last_pid");
    const std::string text = std::to_string(pid - 1);
    Must(static_cast<int>(write(last, text.data(), text.size())), "ns_last_pid");
    close(last);
    const pid_t fresh = Start([&](int) { return port == 0 ? -1 : Listen(port); }, pid);
    if (fresh == pid) return std::to_string(pid);
  }
  errno = EAGAIN;
  Fail("swap");
}

std::string Perform(const std::string& line) {
  std::istringstream words(line);
  std::string command;
  words >> command;
  if (command == "listen") {
    int port = 0, kids = 0;
    uid_t user = 0;
    bool stubborn = false;
    words >> port;
    for (std::string word; words >> word;) {
      if (word == "stubborn") stubborn = true;
      if (word.rfind("kids=", 0) == 0) kids = std::stoi(word.substr(5));
      if (word.rfind("uid=", 0) == 0) user = static_cast<uid_t>(std::stoul(word.substr(4)));
    }
    int pid_pipe[2];
    Must(pipe(pid_pipe), "pipe");
    const pid_t pid = Start([&](int) {
      if (stubborn) signal(SIGTERM, SIG_IGN);
      if (user != 0) {
        Must(setresuid(user, user, user), "setresuid");
        // The change of user takes the parent-death signal away.
        DieWithStage();
      }
      const int held = Listen(port);
      for (int kid = 0; kid < kids; ++kid) {
        const pid_t child = Must(fork(), "fork");
        if (child == 0) {
          DieWithStage();
          for (;;) pause();
        }
        Must(static_cast<int>(write(pid_pipe[1], &child, sizeof child)), "tell");
      }
      return held;
    });
    std::string answer = std::to_string(pid);
    for (int kid = 0; kid < kids; ++kid) {
      pid_t child = 0;
      Must(static_cast<int>(read(pid_pipe[0], &child, sizeof child)), "kid");
      answer += " " + std::to_string(child);
    }
    close(pid_pipe[0]);
    close(pid_pipe[1]);
    return answer;
  }
  if (command == "own") {
    int port = 0;
    words >> port;
    own_socket = Listen(port);
    fcntl(own_socket, F_SETFD, FD_CLOEXEC);
    return std::to_string(getpid());
  }
  if (command == "disown") {
    close(own_socket);
    own_socket = -1;
    return "ok";
  }
  if (command == "idle") {
    std::string path;
    words >> path;
    return std::to_string(Start([&](int control) {
      if (path.empty()) return -1;
      fcntl(control, F_SETFD, 0);
      const std::string number = std::to_string(control);
      execl(path.c_str(), path.c_str(), "obey", number.c_str(), nullptr);
      Fail("exec " + path);
    }));
  }
  if (command == "connect") {
    int port = 0;
    words >> port;
    return std::to_string(Start([&](int) {
      const int fd = Must(socket(AF_INET, SOCK_STREAM, 0), "socket");
      sockaddr_in at{};
      at.sin_family = AF_INET;
      at.sin_port = htons(static_cast<std::uint16_t>(port));
      at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      Must(connect(fd, reinterpret_cast<sockaddr*>(&at), sizeof at), "connect");
      return -1;
    }));
  }
  if (command == "pass" || command == "share") {
    pid_t from = 0, to = 0;
    words >> from >> to;
    Pass(from, to, command == "share");
    return "ok";
  }
  if (command == "swap") {
    pid_t pid = 0;
    int port = 0;
    words >> pid;
    words >> port;
    return Swap(pid, port);
  }
  if (command == "end") {
    pid_t pid = 0;
    words >> pid;
    End(pid);
    return "ok";
  }
  if (command == "dead") {
    Reap();
    const std::string answer = dead;
    dead.clear();
    return answer.empty() ? "none" : answer;
  }
  errno = EINVAL;
  Fail("command " + command);
}

void Serve(int commands, int answers) {
  std::string pending;
  char bytes[4096];
  for (;;) {
    const ssize_t got = read(commands, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    pending.append(bytes, static_cast<std::size_t>(got));
    for (std::size_t end = 0; (end = pending.find('\n')) != std::string::npos; pending.erase(0, end + 1)) {
      const std::string answer = Perform(pending.substr(0, end)) + "\n";
      Must(static_cast<int>(write(answers, answer.data(), answer.size())), "answer");
    }
  }
}

// The program gets the answers on descriptor 3 and sends commands on 4.
int Direct(char** words) {
  int commands[2], answers[2];
  Must(pipe2(commands, O_CLOEXEC), "pipe");
  Must(pipe2(answers, O_CLOEXEC), "pipe");
  const pid_t child = Must(fork(), "fork");
  if (child == 0) {
    // Out of the way of 3 and 4 first.
    const int in = Must(fcntl(answers[0], F_DUPFD, 10), "dup");
    const int out = Must(fcntl(commands[1], F_DUPFD, 10), "dup");
    Must(dup2(in, 3), "dup");
    Must(dup2(out, 4), "dup");
    close(in);
    close(out);
    execvp(words[0], words);
    Fail(std::string("exec ") + words[0]);
  }
  close(commands[1]);
  close(answers[0]);
  ended[child] = true;
  Serve(commands[0], answers[1]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

int main(int count, char** words) {
  if (count == 3 && strcmp(words[1], "obey") == 0) {
    DieWithStage();
    const int control = atoi(words[2]);
    SendFd(control, 'r', -1);
    Obey(control, -1);
  }
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  signal(SIGPIPE, SIG_IGN);
  if (count > 2 && strcmp(words[1], "--") == 0) return Direct(words + 2);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  Serve(STDIN_FILENO, STDOUT_FILENO);
  return 0;
}
