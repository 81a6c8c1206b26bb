// A process that lives for a known time: `mark MILLISECONDS [PORT]`, with a TCP listener on loopback if it
// has a port. Prints how long it lived, ms from its first instruction or from listen(2), and ends. A signal
// ends it before that: then it prints nothing.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>

namespace {

long long Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

bool Listen(int port) {
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<in_port_t>(port));
  return bind(made, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 && listen(made, 16) == 0;
}

}  // namespace

int main(int words, char** word) {
  if (words < 2 || words > 3) return 2;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (words == 3 && !Listen(atoi(word[2]))) {
    perror("mark: listen");
    return 1;
  }
  const long long started = Now(), end = started + atoll(word[1]) * 1'000'000LL;
  const timespec until{.tv_sec = end / 1'000'000'000LL, .tv_nsec = end % 1'000'000'000LL};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) != 0) {
  }
  printf("%.3f\n", static_cast<double>(Now() - started) / 1e6);
}
