// A machine at work: `churn FORKS STARTS CONNECTIONS LISTENERS` forks so many children a second that end at
// once, starts so many programs (/bin/true with its output to /dev/null), makes so many TCP connections and
// opens and closes so many TCP listeners on loopback, each evenly spaced. Prints `ready`, and ends with its
// input or its parent; then prints what it made as one JSON line.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

namespace {

constexpr long long kSecond = 1'000'000'000;

long long Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

// Work that is due `rate` times a second. What was missed is made up for, a tenth of a second at most.
class Paced {
 public:
  Paced(int rate, long long now) : every_(rate > 0 ? kSecond / rate : 0), due_(now) {}

  long long due() const { return every_ == 0 ? std::numeric_limits<long long>::max() : due_; }
  bool Take(long long now) {
    if (due() > now) return false;
    due_ = std::max(due_ + every_, now - kSecond / 10);
    ++made_;
    return true;
  }
  long made() const { return made_; }

 private:
  long long every_;
  long long due_;
  long made_ = 0;
};

int Door(sockaddr_in& address) {
  const int door = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(door, reinterpret_cast<sockaddr*>(&address), size) != 0) return -1;
  getsockname(door, reinterpret_cast<sockaddr*>(&address), &size);
  return listen(door, 4096) == 0 ? door : -1;
}

// A listener that is gone at once, on a port of the kernel's choice.
bool OpenAndClose() {
  sockaddr_in address{};
  const int door = Door(address);
  if (door < 0) return false;
  close(door);
  return true;
}

bool Connect(int door, const sockaddr_in& address) {
  const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (client < 0) return false;
  // A reset leaves no socket in TIME_WAIT: the load is the same after an hour.
  const linger reset{.l_onoff = 1, .l_linger = 0};
  setsockopt(client, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  const bool made = connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  if (made) close(accept4(door, nullptr, nullptr, SOCK_CLOEXEC));
  close(client);
  return made;
}

}  // namespace

int main(int words, char** word) {
  if (words != 5) return 2;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Children are reaped by the kernel.
  signal(SIGCHLD, SIG_IGN);
  sockaddr_in address{};
  const int door = Door(address);
  if (door < 0) return 1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const long long started = Now();
  Paced forks(atoi(word[1]), started), starts(atoi(word[2]), started), connections(atoi(word[3]), started),
      listeners(atoi(word[4]), started);
  printf("ready\n");
  fflush(stdout);
  for (;;) {
    const long long wait = std::min({forks.due(), starts.due(), connections.due(), listeners.due()}) - Now();
    const timespec rest{.tv_sec = wait / kSecond, .tv_nsec = wait % kSecond};
    pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    if (wait > 0 && ppoll(&input, 1, &rest, nullptr) > 0) break;
    if (forks.Take(Now())) {
      const pid_t child = fork();
      if (child == 0) _exit(0);
      if (child < 0) return 1;
    }
    if (starts.Take(Now())) {
      pid_t child = 0;
      char program[] = "/bin/true";
      char* const argv[] = {program, nullptr};
      char* const environment[] = {nullptr};
      if (posix_spawn(&child, program, &actions, nullptr, argv, environment) != 0) return 1;
    }
    if (connections.Take(Now()) && !Connect(door, address)) return 1;
    if (listeners.Take(Now()) && !OpenAndClose()) return 1;
  }
  printf("{\"seconds\":%.1f,\"forks\":%ld,\"starts\":%ld,\"connections\":%ld,\"listeners\":%ld}\n",
         static_cast<double>(Now() - started) / 1e9, forks.made(), starts.made(), connections.made(),
         listeners.made());
}
