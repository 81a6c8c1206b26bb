// Processes whose memory files block every reader: `wedge COUNT FOLDER` mounts a FUSE file system at FOLDER
// in a private mount namespace, whose server accepts data and never confirms writing it. Each process maps a
// file of it, writes there, and maps something over it: the kernel then waits for the server with the
// process' memory lock held, so that every reader of its maps, environ or cmdline waits too. Prints the pids,
// "[101,102]", once all of them wait, and frees and ends them when its stdin closes: with the server's
// descriptor the connection is aborted. With a COUNT of 0 only readers of one of its files wait.
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace {

constexpr size_t kPage = 4096;
constexpr uint64_t kFirstFile = 2;  // FUSE_ROOT_ID is 1

[[noreturn]] void Fail(const std::string& what) {
  dprintf(STDERR_FILENO, "error %s: %s\n", what.c_str(), strerror(errno));
  _exit(1);
}

void Must(long result, const std::string& what) {
  if (result < 0) Fail(what);
}

fuse_attr AttributesOf(uint64_t node) {
  fuse_attr attributes = {};
  attributes.ino = node;
  attributes.mode = node == FUSE_ROOT_ID ? S_IFDIR | 0755 : S_IFREG | 0600;
  attributes.size = node == FUSE_ROOT_ID ? 0 : kPage;
  attributes.nlink = 1;
  attributes.blksize = kPage;
  return attributes;
}

void Answer(int fuse, uint64_t unique, int error, const void* body = nullptr, size_t size = 0) {
  fuse_out_header header = {};
  header.len = static_cast<uint32_t>(sizeof header + size);
  header.error = -error;
  header.unique = unique;
  const iovec parts[] = {{&header, sizeof header}, {const_cast<void*>(body), size}};
  // A request that was cancelled meanwhile needs no answer.
  if (writev(fuse, parts, 2) < 0 && errno != ENOENT) Fail("answer");
}

template <class Body>
void Answer(int fuse, uint64_t unique, const Body& body) {
  Answer(fuse, unique, 0, &body, sizeof body);
}

// One request (linux/fuse.h): files are called by the number of their node. A WRITE is never answered, and
// neither is a READ when `silent`.
void Serve(int fuse, bool silent) {
  static char request[1 << 20];
  const ssize_t got = read(fuse, request, sizeof request);
  if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == ENOENT)) return;
  Must(got, "request");
  fuse_in_header header;
  memcpy(&header, request, sizeof header);
  const char* const body = request + sizeof header;
  switch (header.opcode) {
    case FUSE_INIT: {
      fuse_init_in asked;
      memcpy(&asked, body, sizeof asked);
      fuse_init_out answer = {};
      answer.major = FUSE_KERNEL_VERSION;
      answer.minor = asked.minor < FUSE_KERNEL_MINOR_VERSION ? asked.minor : FUSE_KERNEL_MINOR_VERSION;
      answer.max_write = kPage;
      return Answer(fuse, header.unique, answer);
    }
    case FUSE_LOOKUP: {
      fuse_entry_out answer = {};
      answer.nodeid = strtoull(body, nullptr, 10);
      if (answer.nodeid < kFirstFile) return Answer(fuse, header.unique, ENOENT);
      answer.entry_valid = answer.attr_valid = 3600;
      answer.attr = AttributesOf(answer.nodeid);
      return Answer(fuse, header.unique, answer);
    }
    case FUSE_GETATTR:
    case FUSE_SETATTR: {
      fuse_attr_out answer = {};
      answer.attr_valid = 3600;
      answer.attr = AttributesOf(header.nodeid);
      return Answer(fuse, header.unique, answer);
    }
    case FUSE_OPEN: {
      const fuse_open_out answer = {};
      return Answer(fuse, header.unique, answer);
    }
    case FUSE_READ: {
      if (silent) return;
      static const char zeros[kPage] = {};
      return Answer(fuse, header.unique, 0, zeros, sizeof zeros);
    }
    case FUSE_WRITE:
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
    case FUSE_INTERRUPT: return;
    case FUSE_FLUSH:
    case FUSE_RELEASE: return Answer(fuse, header.unique, 0);
    default: return Answer(fuse, header.unique, ENOSYS);
  }
}

// Holds its memory lock for as long as the server is silent.
[[noreturn]] void BeWedged(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  Must(file, "open " + path);
  void* const page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (page == MAP_FAILED) Fail("map " + path);
  *static_cast<volatile char*>(page) = 1;
  if (mmap(page, kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
    Fail("map over");
  for (;;) pause();
}

// Whether it waits in the kernel and cannot be disturbed (proc_pid_stat(5), field 3).
bool Waits(pid_t pid) {
  char text[256] = {};
  const int stat = open(("/proc/" + std::to_string(pid) + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
  if (stat < 0) return false;
  const ssize_t got = read(stat, text, sizeof text - 1);
  close(stat);
  const std::string line(text, got > 0 ? static_cast<size_t>(got) : 0);
  const size_t name_end = line.rfind(')');
  return name_end != std::string::npos && line.substr(name_end, 3) == ") D";
}

bool AllWait(const std::vector<pid_t>& pids) {
  for (const pid_t pid : pids) {
    if (waitpid(pid, nullptr, WNOHANG) == pid) {
      errno = ECHILD;
      Fail("process " + std::to_string(pid));
    }
    if (!Waits(pid)) return false;
  }
  return true;
}

void Print(const std::vector<pid_t>& pids) {
  std::string line = "[";
  for (const pid_t pid : pids) line += (line.size() > 1 ? "," : "") + std::to_string(pid);
  line += "]\n";
  Must(write(STDOUT_FILENO, line.data(), line.size()), "print");
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    dprintf(STDERR_FILENO, "usage: wedge COUNT FOLDER\n");
    return 2;
  }
  const int processes = atoi(words[1]);
  const std::string folder = words[2];
  Must(prctl(PR_SET_PDEATHSIG, SIGKILL), "death signal");
  Must(unshare(CLONE_NEWNS), "mount namespace");
  Must(mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "private mounts");
  const int fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
  Must(fuse, "open /dev/fuse");
  const std::string options = "fd=" + std::to_string(fuse) + ",rootmode=40000,user_id=0,group_id=0";
  Must(mount("wedge", folder.c_str(), "fuse", MS_NOSUID | MS_NODEV, options.c_str()), "mount");
  std::vector<pid_t> pids;
  for (int at = 0; at < processes; ++at) {
    const pid_t child = fork();
    Must(child, "fork");
    if (child == 0) {
      // The connection must end with the server: no other process may hold its descriptor.
      close(fuse);
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      BeWedged(folder + "/" + std::to_string(kFirstFile + static_cast<uint64_t>(at)));
    }
    pids.push_back(child);
  }
  // In a row, so that a process that only waits for data is not counted as blocked.
  int waited = 0;
  for (;;) {
    pollfd watched[] = {{fuse, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    Must(poll(watched, 2, 20), "poll");
    if ((watched[0].revents & POLLIN) != 0) Serve(fuse, processes == 0);
    if ((watched[1].revents & (POLLIN | POLLHUP)) != 0) break;
    constexpr int kLooks = 10;
    if (waited < kLooks) {
      waited = AllWait(pids) ? waited + 1 : 0;
      if (waited == kLooks) Print(pids);
    }
  }
  // Requests that wait fail from here on, and the processes can be ended.
  close(fuse);
  for (const pid_t pid : pids) kill(pid, SIGKILL);
  for (const pid_t pid : pids) waitpid(pid, nullptr, 0);
  return 0;
}
