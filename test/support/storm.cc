// A storm of births: RATE forks a second until stdin closes, then prints how many there were. A third of the
// children end at once, a third live for 2 ms, a third leave a grandchild behind that lives for 3 ms; they
// stay zombies for a while, and each 16th has a second thread.
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <csignal>

namespace {

void* Idle(void*) {
  usleep(2000);
  return nullptr;
}

[[noreturn]] void Live(unsigned number) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (number % 16 == 0) {
    pthread_t thread;
    pthread_create(&thread, nullptr, Idle, nullptr);
  }
  if (number % 3 == 1) usleep(2000);
  if (number % 3 == 2 && fork() == 0) usleep(3000);
  _exit(0);
}

}  // namespace

int main(int count, char** words) {
  const long rate = count > 1 ? atol(words[1]) : 1000;
  signal(SIGINT, SIG_IGN);
  timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  unsigned born = 0;
  printf("ready\n");
  fflush(stdout);
  for (pollfd input{0, POLLIN, 0}; poll(&input, 1, 0) == 0;) {
    const pid_t child = fork();
    if (child == 0) Live(born);
    if (child > 0) ++born;
    if (born % 8 == 0)
      while (waitpid(-1, nullptr, WNOHANG) > 0) {
      }
    next.tv_nsec += 1000000000 / rate;
    if (next.tv_nsec >= 1000000000) {
      next.tv_nsec -= 1000000000;
      ++next.tv_sec;
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, nullptr);
  }
  while (waitpid(-1, nullptr, 0) > 0) {
  }
  printf("%u\n", born);
}
