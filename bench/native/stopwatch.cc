// Times whole runs of a program: `stopwatch PASSES PROGRAM WORD…`. Its output goes nowhere, its input is
// empty. Prints `{"us":[…],"codes":[…]}`: microseconds from before posix_spawn to after the wait, and the
// exit codes.
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include <vector>

extern char** environ;

namespace {

double Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

}  // namespace

int main(int words, char** word) {
  if (words < 3) return 2;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int fd = 0; fd < 3; ++fd)
    posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", fd == 0 ? O_RDONLY : O_WRONLY, 0);
  std::vector<double> times;
  std::vector<int> codes;
  for (int pass = atoi(word[1]); pass > 0; --pass) {
    const double started = Now();
    pid_t child = 0;
    const int refused = posix_spawnp(&child, word[2], &actions, nullptr, word + 2, environ);
    if (refused != 0) {
      fprintf(stderr, "%s does not start: %s\n", word[2], strerror(refused));
      return 1;
    }
    int status = 0;
    waitpid(child, &status, 0);
    times.push_back(Now() - started);
    codes.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  }
  printf("{\"us\":[");
  for (std::size_t i = 0; i < times.size(); ++i) printf("%s%.1f", i == 0 ? "" : ",", times[i]);
  printf("],\"codes\":[");
  for (std::size_t i = 0; i < codes.size(); ++i) printf("%s%d", i == 0 ? "" : ",", codes[i]);
  printf("]}\n");
}
