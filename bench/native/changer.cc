// Makes one change per input line and says when: `process` forks a child that waits, `listener` opens a TCP
// listener on loopback. Prints `SUBJECT NANOSECONDS`: the pid or port, and CLOCK_MONOTONIC right after the
// call that made the change. Everything it made ends with it; it ends with its input or its parent.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <vector>

namespace {

long long Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

pid_t NewProcess() {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  for (;;) pause();
}

int NewListener() {
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(made, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return -1;
  socklen_t size = sizeof address;
  getsockname(made, reinterpret_cast<sockaddr*>(&address), &size);
  return listen(made, 16) == 0 ? ntohs(address.sin_port) : -1;
}

}  // namespace

int main() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::vector<pid_t> children;
  char line[32];
  while (fgets(line, sizeof line, stdin) != nullptr) {
    int subject = -1;
    if (strcmp(line, "process\n") == 0) children.push_back(subject = NewProcess());
    if (strcmp(line, "listener\n") == 0) subject = NewListener();
    const long long at = Now();
    if (subject <= 0) return 1;
    printf("%d %lld\n", subject, at);
    fflush(stdout);
  }
  for (const pid_t child : children) kill(child, SIGKILL);
  while (wait(nullptr) > 0) {
  }
}
