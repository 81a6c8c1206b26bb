// The floor of any polling: a thread that only wakes. `wake PASSES MILLISECONDS` sleeps so
// long again and again, a second per pass, and prints `{"us":[…]}`: processor time of each pass.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

namespace {

double Now(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

}  // namespace

int main(int words, char** word) {
  if (words < 3 || atoi(word[2]) < 1 || atoi(word[2]) > 1000) return 2;
  const int passes = atoi(word[1]);
  const int ms = atoi(word[2]);
  printf("{\"us\":[");
  for (int pass = 0; pass < passes; ++pass) {
    const double before = Now(CLOCK_THREAD_CPUTIME_ID);
    const double started = Now(CLOCK_MONOTONIC);
    timespec due;
    clock_gettime(CLOCK_MONOTONIC, &due);
    for (int wakes = 1000 / ms; wakes > 0; --wakes) {
      due.tv_nsec += ms * 1'000'000L;
      if (due.tv_nsec >= 1'000'000'000L) {
        due.tv_nsec -= 1'000'000'000L;
        ++due.tv_sec;
      }
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr);
    }
    const double second = (Now(CLOCK_MONOTONIC) - started) / 1e6;
    printf("%s%.3f", pass == 0 ? "" : ",", (Now(CLOCK_THREAD_CPUTIME_ID) - before) / second);
  }
  printf("]}\n");
  return 0;
}
