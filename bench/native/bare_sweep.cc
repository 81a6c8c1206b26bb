// The floor of the procfs sweep: the system calls it makes, on the same files in the same order, and nothing
// else. The data that is read is not used. A bench peer, not part of the product.
//
// Usage: bare_sweep PASSES WARM_UP FD_WALK    (FD_WALK 1: also every descriptor link of every user process)
// Prints one line, `{"us":[…]}`: the microseconds of each pass behind the warm-up.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <set>
#include <vector>

namespace {

char buffer[16 << 10];
char link_text[8192];
char entries[32 << 10];
char inner[32 << 10];

struct Entry {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t length;
  std::uint8_t type;
  char name[1];
};

double Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

const char* Path(const char* pid, const char* file) {
  static char path[64];
  char* end = stpcpy(path, pid);
  *end++ = '/';
  stpcpy(end, file);
  return path;
}

long Read(int root, const char* path) {
  const int fd = openat(root, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return -1;
  const long got = read(fd, buffer, sizeof buffer);
  close(fd);
  return got;
}

template <class Visit>
void Walk(int root, const char* path, char* into, std::size_t size, Visit visit) {
  const int fd = openat(root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  for (long got; (got = syscall(SYS_getdents64, fd, into, size)) > 0;) {
    for (long at = 0; at < got;) {
      const auto* entry = reinterpret_cast<const Entry*>(into + at);
      at += entry->length;
      if (entry->name[0] >= '0' && entry->name[0] <= '9') visit(fd, entry->name);
    }
  }
  close(fd);
}

// Read once before the clock runs: kernel threads have only their stat and status read.
bool IsKernelThread(int root, const char* pid) {
  const long got = Read(root, Path(pid, "stat"));
  if (got <= 0) return false;
  buffer[got - 1] = '\0';
  const char* const end = strrchr(buffer, ')');
  unsigned flags = 0;
  if (end == nullptr || sscanf(end + 2, "%*c %*d %*d %*d %*d %*d %u", &flags) != 1) return false;
  return (flags & 0x00200000) != 0;
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return 2;
  const int warm_up = atoi(words[2]);
  const int passes = atoi(words[1]) + warm_up;
  const bool fd_walk = atoi(words[3]) != 0;
  const int root = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
  std::set<int> kernel_threads;
  Walk(root, ".", entries, sizeof entries, [&](int, const char* pid) {
    if (IsKernelThread(root, pid)) kernel_threads.insert(atoi(pid));
  });

  std::vector<int> pids;
  std::vector<double> times;
  for (int pass = 0; pass < passes; ++pass) {
    const double started = Now();
    pids.clear();
    Walk(root, ".", entries, sizeof entries, [&](int, const char* pid) { pids.push_back(atoi(pid)); });
    for (const int number : pids) {
      char pid[12];
      snprintf(pid, sizeof pid, "%d", number);
      Read(root, Path(pid, "stat"));
      Read(root, Path(pid, "status"));
      if (kernel_threads.contains(number)) continue;
      if (readlinkat(root, Path(pid, "exe"), link_text, sizeof link_text) < 0) link_text[0] = '\0';
      Read(root, Path(pid, "cgroup"));
      for (const char* kind : {"ns/user", "ns/pid", "ns/mnt", "ns/net"}) {
        // One refusal counts for all four, as in the sweep.
        if (readlinkat(root, Path(pid, kind), link_text, sizeof link_text) < 0) break;
      }
      if (!fd_walk) continue;
      Walk(root, Path(pid, "fd"), inner, sizeof inner, [](int fd, const char* name) {
        if (readlinkat(fd, name, link_text, 32) < 0) link_text[0] = '\0';
      });
    }
    if (pass >= warm_up) times.push_back(Now() - started);
  }
  printf("{\"us\":[");
  for (std::size_t i = 0; i < times.size(); ++i) printf("%s%.1f", i == 0 ? "" : ",", times[i]);
  printf("]}\n");
}
