// The load that benchmarks run against: idle processes, listeners and established loopback connections.
//
// Usage: farm PROCESSES LISTENERS CONNECTIONS THREADS [own-net]
//   THREADS: of each process, from 1 on
//   own-net: everything is in a private network namespace, so that the host's sockets are not affected;
//   needs CAP_SYS_ADMIN. Enter it with `nsenter --net=/proc/PID/ns/net`.
//
// The first processes hold one listener each (TCP and UDP, IPv4 and IPv6 in turn); after them come those
// that hold the connections, both ends, at most 2,500 each. Prints one JSON line when all is ready, or `error
// WHAT: WHY` and exits 1; ends, with everything it started, when its input closes or its parent dies.
#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>
#include <vector>

namespace {

constexpr unsigned kConnectionsPerProcess = 2500;

[[noreturn]] void Fail(const char* what) {
  const int code = errno;
  printf("error %s: %s\n", what, strerror(code));
  fflush(stdout);
  _exit(1);
}

long Must(long result, const char* what) {
  if (result < 0) Fail(what);
  return result;
}

unsigned Count(const char* word) {
  char* end = nullptr;
  const unsigned long number = strtoul(word, &end, 10);
  errno = EINVAL;
  if (*word == '\0' || *end != '\0' || number > 1'000'000) Fail(word);
  return static_cast<unsigned>(number);
}

// netdevice(7): a new namespace has its loopback device down.
void EnterOwnNetwork() {
  Must(unshare(CLONE_NEWNET), "a network namespace");
  const int probe = static_cast<int>(Must(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket"));
  ifreq request{};
  strcpy(request.ifr_name, "lo");
  Must(ioctl(probe, SIOCGIFFLAGS, &request), "flags of lo");
  request.ifr_flags |= IFF_UP;
  Must(ioctl(probe, SIOCSIFFLAGS, &request), "raising lo");
  close(probe);
}

// Room for `wanted` descriptors; only root may raise the hard limit.
void RaiseDescriptors(rlim_t wanted) {
  rlimit limit{};
  Must(getrlimit(RLIMIT_NOFILE, &limit), "getrlimit");
  limit.rlim_cur = std::max(limit.rlim_cur, wanted);
  limit.rlim_max = std::max(limit.rlim_max, limit.rlim_cur);
  Must(setrlimit(RLIMIT_NOFILE, &limit), "raising the limit of open files");
}

int Bound(int family, int type) {
  const int made = static_cast<int>(Must(socket(family, type | SOCK_CLOEXEC, 0), "socket"));
  sockaddr_storage address{};
  socklen_t size = 0;
  if (family == AF_INET) {
    auto* v4 = reinterpret_cast<sockaddr_in*>(&address);
    v4->sin_family = AF_INET;
    v4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    size = sizeof *v4;
  } else {
    auto* v6 = reinterpret_cast<sockaddr_in6*>(&address);
    v6->sin6_family = AF_INET6;
    v6->sin6_addr = in6addr_loopback;
    size = sizeof *v6;
  }
  Must(bind(made, reinterpret_cast<sockaddr*>(&address), size), "bind");
  if (type == SOCK_STREAM) Must(listen(made, 4096), "listen");
  return made;
}

int Listener(unsigned number) {
  const int type = number % 4 < 2 ? SOCK_STREAM : SOCK_DGRAM;
  return Bound(number % 2 == 0 ? AF_INET : AF_INET6, type);
}

void Connect(unsigned count) {
  const int door = Bound(AF_INET, SOCK_STREAM);
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  Must(getsockname(door, reinterpret_cast<sockaddr*>(&address), &size), "getsockname");
  for (unsigned i = 0; i < count; ++i) {
    const int client = static_cast<int>(Must(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
    Must(connect(client, reinterpret_cast<sockaddr*>(&address), size), "connect");
    Must(accept4(door, nullptr, nullptr, SOCK_CLOEXEC), "accept");
  }
  close(door);
}

void CloseAllBut(int kept, int ready_pipe) {
  int from = 3;
  int stay[] = {kept, ready_pipe};
  std::sort(std::begin(stay), std::end(stay));
  for (const int fd : stay) {
    if (fd < from) continue;
    if (fd > from) syscall(SYS_close_range, from, fd - 1, 0);
    from = fd + 1;
  }
  syscall(SYS_close_range, from, ~0U, 0);
}

// One idle process; writes a byte when it is ready.
pid_t Start(int kept, unsigned connections, unsigned threads, int ready_pipe) {
  const pid_t parent = getpid();
  const pid_t child = static_cast<pid_t>(Must(fork(), "fork"));
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  CloseAllBut(kept, ready_pipe);
  if (connections > 0) {
    RaiseDescriptors(2 * connections + 64);
    Connect(connections);
  }
  for (unsigned started = 1; started < threads; ++started)
    std::thread([] {
      for (;;) pause();
    }).detach();
  const char ready = '.';
  if (write(ready_pipe, &ready, 1) != 1) _exit(1);
  close(ready_pipe);
  for (;;) pause();
}

}  // namespace

int main(int words, char** word) {
  if (words < 5 || words > 6 || (words == 6 && strcmp(word[5], "own-net") != 0)) {
    errno = EINVAL;
    Fail("usage: farm PROCESSES LISTENERS CONNECTIONS THREADS [own-net]");
  }
  const unsigned processes = Count(word[1]), listeners = Count(word[2]), connections = Count(word[3]),
                 threads = Count(word[4]);
  const unsigned holders = (connections + kConnectionsPerProcess - 1) / kConnectionsPerProcess;
  if (processes < listeners + holders) {
    errno = ERANGE;
    Fail("too few processes to hold the sockets");
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (words == 6) EnterOwnNetwork();
  RaiseDescriptors(listeners + 64);

  int ready[2];
  Must(pipe2(ready, O_CLOEXEC), "pipe");
  unsigned left = connections;
  std::vector<pid_t> children;
  for (unsigned i = 0; i < processes; ++i) {
    if (i < listeners) {
      const int held = Listener(i);
      children.push_back(Start(held, 0, threads, ready[1]));
      close(held);
    } else {
      const unsigned share = std::min(left, kConnectionsPerProcess);
      children.push_back(Start(-1, share, threads, ready[1]));
      left -= share;
    }
  }
  close(ready[1]);
  // Every process reports once; one that failed has printed the reason to our output.
  std::vector<char> replies(processes);
  for (unsigned got = 0; got < processes;) {
    const ssize_t more = read(ready[0], replies.data(), processes - got);
    if (more <= 0) _exit(1);
    got += static_cast<unsigned>(more);
  }
  printf("{\"pid\":%d,\"processes\":%u,\"listeners\":%u,\"established\":%u}\n", getpid(), processes,
         listeners, connections);
  fflush(stdout);

  char end;
  while (read(STDIN_FILENO, &end, 1) > 0) {
  }
  // Not reaped yet, so the pids are still theirs.
  for (const pid_t child : children) kill(child, SIGKILL);
  while (wait(nullptr) > 0) {
  }
}
