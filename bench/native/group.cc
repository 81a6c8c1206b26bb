// The cost of a process and all its descendants, as seen from outside. For each input line, one JSON line:
//   cpu PID   {"us":…,"atNs":…,"processes":…}: CPU time that the group has used since it started, and when
//   that was
//             (CLOCK_MONOTONIC)
//   pss PID   {"kb":…,"processes":…}: proportional set size (smaps_rollup) of the group
// or {"error":…}. Ends with its input or its parent.
//
// CPU time is the CPU clock of each living process (clock_getcpuclockid(3): nanoseconds, its ended threads
// included) plus cutime and cstime of its stat file: the ended children that it has waited for. utime and
// stime have the same content as the clock, in ticks of 10 ms; schedstat is exact but loses threads and
// children that have ended. Only ended children are counted in ticks. What a process that is not waited for
// has used is lost.
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace {

struct Process {
  pid_t pid;
  pid_t parent;
  long long waited_ticks;
  bool operator==(const Process&) const = default;
};

using Group = std::vector<Process>;

long long Ns(clockid_t clock) {
  timespec now;
  if (clock_gettime(clock, &now) != 0) return -1;
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

std::string Read(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return "";
  std::string text;
  char part[4096];
  for (ssize_t got; (got = read(file, part, sizeof part)) > 0;) text.append(part, static_cast<size_t>(got));
  close(file);
  return text;
}

// proc_pid_stat(5); false when the process has ended.
bool ReadProcess(pid_t pid, Process& process) {
  const std::string text = Read("/proc/" + std::to_string(pid) + "/stat");
  const size_t end = text.rfind(')');
  long long children_user = 0, children_system = 0;
  int parent = 0;
  if (end == std::string::npos ||
      sscanf(text.c_str() + end + 1, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %lld %lld", &parent,
             &children_user, &children_system) != 3)
    return false;
  process = {pid, parent, children_user + children_system};
  return true;
}

// The process and its descendants, by pid; empty when it has ended.
Group GroupOf(pid_t root) {
  std::multimap<pid_t, Process> by_parent;
  Group group;
  DIR* folder = opendir("/proc");
  if (folder == nullptr) return group;
  while (const dirent* entry = readdir(folder)) {
    const pid_t pid = atoi(entry->d_name);
    Process process;
    if (pid <= 0 || !ReadProcess(pid, process)) continue;
    if (pid == root)
      group.push_back(process);
    else
      by_parent.emplace(process.parent, process);
  }
  closedir(folder);
  for (size_t next = 0; next < group.size(); ++next) {
    const auto [from, to] = by_parent.equal_range(group[next].pid);
    for (auto child = from; child != to; ++child) group.push_back(child->second);
  }
  std::sort(group.begin(), group.end(),
            [](const Process& one, const Process& other) { return one.pid < other.pid; });
  return group;
}

constexpr int kMostTries = 100;

void PrintCpu(pid_t root) {
  const long long tick_ns = 1'000'000'000LL / sysconf(_SC_CLK_TCK);
  Group before = GroupOf(root);
  for (int tries = 0; tries < kMostTries && !before.empty(); ++tries) {
    const long long at = Ns(CLOCK_MONOTONIC);
    long long ns = 0;
    bool all = true;
    for (const Process& process : before) {
      clockid_t clock;
      const long long used = clock_getcpuclockid(process.pid, &clock) == 0 ? Ns(clock) : -1;
      all = all && used >= 0;
      ns += used + process.waited_ticks * tick_ns;
    }
    // A process that ends meanwhile moves from one sum to the other: such a sample counts it twice or never.
    Group after = GroupOf(root);
    if (all && before == after) {
      printf("{\"us\":%.3f,\"atNs\":%lld,\"processes\":%zu}\n", static_cast<double>(ns) / 1e3, at,
             before.size());
      return;
    }
    before = std::move(after);
  }
  printf("{\"error\":\"%s\"}\n", before.empty() ? "the process has ended" : "the group never was at rest");
}

void PrintPss(pid_t root) {
  long long kb = 0;
  const Group group = GroupOf(root);
  for (const Process& process : group) {
    const std::string text = Read("/proc/" + std::to_string(process.pid) + "/smaps_rollup");
    const size_t line = text.find("\nPss:");
    if (line != std::string::npos) kb += atoll(text.c_str() + line + strlen("\nPss:"));
  }
  if (group.empty())
    printf("{\"error\":\"the process has ended\"}\n");
  else
    printf("{\"kb\":%lld,\"processes\":%zu}\n", kb, group.size());
}

}  // namespace

int main() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  char line[64];
  while (fgets(line, sizeof line, stdin) != nullptr) {
    char what[8];
    int pid = 0;
    if (sscanf(line, "%7s %d", what, &pid) != 2 || pid <= 0) return 2;
    if (strcmp(what, "cpu") == 0)
      PrintCpu(pid);
    else if (strcmp(what, "pss") == 0)
      PrintPss(pid);
    else
      return 2;
    fflush(stdout);
  }
}
