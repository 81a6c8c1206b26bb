// A listener that may be shut down, once for every line `PORT MILLISECONDS` on stdin: forks a process that
// after so long listens on the port, on loopback, and waits for its end. Prints `PID NANOSECONDS`,
// CLOCK_MONOTONIC just before listen(2), and when the process is gone `SIGNAL NANOSECONDS PORT`, where PORT
// is `free` or `taken`. Everything ends with its input or its parent.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace {

long long Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

// A bound socket, or -1. A bound socket that does not listen is not a listener.
int Bind(int port) {
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<unsigned short>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(made, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return made;
  close(made);
  return -1;
}

[[noreturn]] void Intrude(int port, int wait_ms, pid_t parent, int report) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  usleep(static_cast<useconds_t>(wait_ms) * 1000);
  const int socket = Bind(port);
  const long long at = Now();
  if (socket < 0 || listen(socket, 16) != 0 || write(report, &at, sizeof at) != sizeof at) _exit(1);
  for (;;) pause();
}

}  // namespace

int main() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const pid_t self = getpid();
  for (int port = 0, wait_ms = 0; scanf("%d %d", &port, &wait_ms) == 2;) {
    int report[2];
    if (pipe(report) != 0) return 1;
    const pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) Intrude(port, wait_ms, self, report[1]);
    close(report[1]);
    long long listened = 0;
    if (read(report[0], &listened, sizeof listened) != sizeof listened) return 1;
    close(report[0]);
    printf("%d %lld\n", child, listened);
    fflush(stdout);
    int status = 0;
    if (waitpid(child, &status, 0) != child) return 1;
    const long long gone = Now();
    const int probe = Bind(port);
    if (probe >= 0) close(probe);
    printf("%d %lld %s\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0, gone, probe >= 0 ? "free" : "taken");
    fflush(stdout);
  }
}
