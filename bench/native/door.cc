// A listener that opens and closes: on each line `open PORT` listens on the port, on loopback, on each line
// `close` ends that. Prints CLOCK_REALTIME in nanoseconds just before listen(2) and just before close(2). One
// process for all of them, so that a change is a listener and nothing else. It ends with its input or its
// parent.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

namespace {

long long Now() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

// A bound socket, or -1. Nothing connects, so no address remains in TIME_WAIT.
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

}  // namespace

int main() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  char line[32];
  int held = -1;
  while (fgets(line, sizeof line, stdin) != nullptr) {
    int port = 0;
    const bool opens = sscanf(line, "open %d", &port) == 1;
    if (opens == (held >= 0)) return 1;
    if (opens && (held = Bind(port)) < 0) return 1;
    const long long at = Now();
    if (opens && listen(held, 16) != 0) return 1;
    if (!opens) {
      close(held);
      held = -1;
    }
    printf("%lld\n", at);
    fflush(stdout);
  }
}
