// One process that changes: `renamer EVERY_MS THREADS` gives itself another name so often, with so many
// threads in all. Prints `ready`, and ends with its input or its parent; then prints what it did as one JSON
// line.
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <thread>

namespace {

double Seconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

}  // namespace

int main(int words, char** word) {
  if (words != 3) return 2;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int every_ms = atoi(word[1]), threads = atoi(word[2]);
  if (every_ms < 1 || threads < 1) return 2;
  for (int started = 1; started < threads; ++started)
    std::thread([] {
      for (;;) pause();
    }).detach();
  printf("ready\n");
  fflush(stdout);
  const double started = Seconds();
  long changes = 0;
  for (;;) {
    const double due = started + static_cast<double>(changes + 1) * every_ms / 1e3;
    const double rest = (due - Seconds()) * 1e3;
    pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    if (poll(&input, 1, rest > 0 ? static_cast<int>(rest + 0.5) : 0) > 0) break;
    ++changes;
    char name[16];
    snprintf(name, sizeof name, "renamed-%ld", changes % 100'000);
    prctl(PR_SET_NAME, name);
  }
  printf("{\"seconds\":%.3f,\"changes\":%ld}\n", Seconds() - started, changes);
  fflush(stdout);
  _exit(0);
}
