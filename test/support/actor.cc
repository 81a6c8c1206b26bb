// A test actor: makes processes with a chosen confinement, prints their pids, and ends them all when its
// stdin closes.
//
// Usage: actor SUBJECT...   where a SUBJECT is comma-separated words, applied in order:
//   plain                     nothing
//   filter | strict           seccomp mode 2 (a BPF program that allows everything) or mode 1
//   nnp                       no_new_privs
//   drop                      empties the capability bounding set
//   uid=N | euid=N            real, effective and saved uid and gid; the effective uid only
//   unshare=user+pid+mnt+net  new namespaces (any of them)
//   thread=plain|nnp|filter   one more thread, with its own confinement; must come before the leader's own
//   thread=apart              one more thread, with its own descriptor table and a TCP listener in it
//   listen                    a TCP listener on 127.0.0.1, on a port the kernel chooses
//   listen=ADDRESS:PORT       one there (IPv4)
//   inflight=ADDRESS:PORT     one whose descriptor is sent to no process: it listens, and nothing holds it
//   code=writable | anonymous | memfd | image
//                             a page that code can run from: one that is writable too, one without a file,
//                             one of a memfd, one without a file below the place of every program
//   library=PATH              a page of that file, executable
//   name=HEX                  the command name, raw bytes
//   tty | daemon              a controlling terminal of its own; a session without one
//   deleted                   runs a copy of this program that is unlinked
//   memfd | memfd=NAME        runs a copy of this program in memory, under that name
//   undumpable                closes itself to readers (PR_SET_DUMPABLE), until it runs another program
//   packet                    a packet socket for every protocol
//   promiscuous               one that makes the loopback interface promiscuous
//   silent                    gives back the memory that its command line lies in; must come last
//   exited-leader             the main thread ends, another one holds on; must come last
//   zombie                    an unreaped child; the printed pid is the child's
//   traced                    a running child that this process traces; the printed pid is the child's
//   farm=N                    N idle children; their pids are printed
// Prints one line, the pids per subject: `[[101],[102],[103,104]]`, or `error WHAT: WHY` and exits 1.
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

namespace {

constexpr char kHold[] = "--hold";

struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

[[noreturn]] void Fail(const std::string& what) {
  dprintf(STDERR_FILENO, "error %s: %s\n", what.c_str(), strerror(errno));
  _exit(1);
}

void Must(long result, const std::string& what) {
  if (result < 0) Fail(what);
}

Pipe MakePipe() {
  int ends[2];
  Must(pipe(ends), "pipe");
  return {ends[0], ends[1]};
}

// Reads until the other end closes, with system calls that strict seccomp allows (read, write, exit).
[[noreturn]] void Hold(int life, bool strict) {
  char byte;
  for (ssize_t got = 1; got > 0 || (got < 0 && errno == EINTR);) got = read(life, &byte, 1);
  syscall(strict ? SYS_exit : SYS_exit_group, 0);
  abort();
}

void Report(int ready, pid_t pid) {
  if (write(ready, &pid, sizeof pid) != sizeof pid) _exit(1);
}

void InstallFilter() {
  sock_filter allow_all[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog program = {1, allow_all};
  Must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), "seccomp filter");
}

void ForbidNewPrivileges() { Must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs"); }

void EmptyBoundingSet() {
  for (int capability = 0; capability < 64; ++capability)
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0 && errno != EINVAL) Fail("bounding set");
}

int UnshareFlags(const std::string& names) {
  int flags = 0;
  if (names.find("user") != std::string::npos) flags |= CLONE_NEWUSER;
  if (names.find("pid") != std::string::npos) flags |= CLONE_NEWPID;
  if (names.find("mnt") != std::string::npos) flags |= CLONE_NEWNS;
  if (names.find("net") != std::string::npos) flags |= CLONE_NEWNET;
  return flags;
}

struct ThreadTask {
  std::string confinement;
  int done;
};

// At `ADDRESS:PORT`, or for "" on loopback at a port that the kernel chooses.
int Listen(const std::string& where = "") {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  Must(listener, "socket");
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (const size_t colon = where.find(':'); colon != std::string::npos) {
    if (inet_pton(AF_INET, where.substr(0, colon).c_str(), &address.sin_addr) != 1) Fail("address " + where);
    address.sin_port = htons(static_cast<uint16_t>(std::stoul(where.substr(colon + 1))));
  }
  Must(bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), "bind " + where);
  Must(listen(listener, 1), "listen");
  return listener;
}

// The listener stays in the queue of a local socket that no process reads (unix(7), SCM_RIGHTS).
void ListenInFlight(const std::string& where) {
  int ends[2];
  Must(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), "socket pair");
  const int listener = Listen(where);
  char byte = 0;
  iovec data = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof listener)] = {};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof listener);
  memcpy(CMSG_DATA(header), &listener, sizeof listener);
  Must(sendmsg(ends[0], &message, 0), "send " + where);
  close(listener);
}

void MapCode(const std::string& kind) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  int file = -1, flags = MAP_PRIVATE | MAP_ANONYMOUS, protection = PROT_READ | PROT_EXEC;
  void* place = nullptr;
  if (kind == "writable") {
    protection |= PROT_WRITE;
  } else if (kind == "memfd") {
    file = memfd_create("code", MFD_CLOEXEC);
    Must(file, "memfd");
    Must(ftruncate(file, static_cast<off_t>(page)), "memfd size");
    flags = MAP_SHARED;
  } else if (kind == "image") {
    place = reinterpret_cast<void*>(0x10000);
    flags |= MAP_FIXED;
  } else if (kind != "anonymous") {
    errno = EINVAL;
    Fail("code " + kind);
  }
  if (mmap(place, page, protection, flags, file, 0) == MAP_FAILED) Fail("map " + kind);
}

void MapLibrary(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  Must(file, "open " + path);
  if (mmap(nullptr, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) == MAP_FAILED) Fail("map " + path);
  close(file);
}

void* ThreadMain(void* argument) {
  const auto* task = static_cast<ThreadTask*>(argument);
  if (task->confinement == "apart") {
    Must(unshare(CLONE_FILES), "unshare files");
    Listen();
  }
  if (task->confinement == "nnp" || task->confinement == "filter") ForbidNewPrivileges();
  if (task->confinement == "filter") InstallFilter();
  Report(task->done, 0);
  for (;;) pause();
}

void AddThread(const std::string& confinement) {
  const Pipe done = MakePipe();
  pthread_t thread;
  if (pthread_create(&thread, nullptr, ThreadMain, new ThreadTask{confinement, done.write_end}) != 0)
    Fail("thread");
  pid_t ignored;
  Must(read(done.read_end, &ignored, sizeof ignored), "thread");
}

// Whether the leader of this process is a zombie (proc_pid_stat(5), field 3).
bool LeaderHasExited() {
  char text[64] = {};
  const int stat = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  Must(stat, "open stat");
  Must(read(stat, text, sizeof text - 1), "read stat");
  close(stat);
  return std::string(text).find(") Z ") != std::string::npos;
}

struct Survivor {
  int ready;
  int life;
  pid_t pid;
};

void* Survive(void* argument) {
  const auto* survivor = static_cast<Survivor*>(argument);
  for (int turn = 0; !LeaderHasExited(); ++turn) {
    if (turn == 5000) {
      errno = ETIMEDOUT;
      Fail("exit of the leader");
    }
    usleep(1000);
  }
  Report(survivor->ready, survivor->pid);
  Hold(survivor->life, false);
}

// Leaves a thread behind that reports the pid and waits, and ends this one.
[[noreturn]] void ExitLeader(int ready, int life, pid_t pid) {
  pthread_t thread;
  if (pthread_create(&thread, nullptr, Survive, new Survivor{ready, life, pid}) != 0) Fail("thread");
  syscall(SYS_exit, 0);
  abort();
}

// A field from 3 on of our own stat (proc_pid_stat(5)).
unsigned long StatField(int wanted) {
  char text[4096] = {};
  const int stat = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  Must(stat, "open stat");
  Must(read(stat, text, sizeof text - 1), "read stat");
  close(stat);
  const std::string line = text;
  size_t at = line.rfind(')');
  for (int field = 2; field < wanted; ++field) at = line.find(' ', at) + 1;
  return std::stoul(line.substr(at));
}

void* Silence(void* argument) {
  const auto* survivor = static_cast<Survivor*>(argument);
  constexpr int kArgumentStart = 48, kEnvironmentEnd = 51;
  const auto page = static_cast<unsigned long>(sysconf(_SC_PAGESIZE));
  const unsigned long from = StatField(kArgumentStart) / page * page;
  const unsigned long to = (StatField(kEnvironmentEnd) / page + 1) * page;
  Must(munmap(reinterpret_cast<void*>(from), to - from), "unmap arguments");
  Report(survivor->ready, survivor->pid);
  Hold(survivor->life, false);
}

// The first thread's stack begins where the arguments end: another thread unmaps them, and this one sleeps.
[[noreturn]] void BeSilent(int ready, int life, pid_t pid) {
  pthread_t thread;
  if (pthread_create(&thread, nullptr, Silence, new Survivor{ready, life, pid}) != 0) Fail("thread");
  for (;;) pause();
}

void SetName(const std::string& hex) {
  std::string name;
  for (size_t at = 0; at + 1 < hex.size(); at += 2)
    name.push_back(static_cast<char>(strtoul(hex.substr(at, 2).c_str(), nullptr, 16)));
  Must(prctl(PR_SET_NAME, name.c_str()), "name");
}

void TakeTerminal() {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  Must(master, "pty");
  Must(grantpt(master), "grantpt");
  Must(unlockpt(master), "unlockpt");
  Must(setsid(), "setsid");
  const int terminal = open(ptsname(master), O_RDWR);
  Must(terminal, "open pty");
  Must(ioctl(terminal, TIOCSCTTY, 0), "controlling terminal");
}

void CopySelf(int copy) {
  const int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  Must(self, "open self");
  struct stat about = {};
  Must(fstat(self, &about), "stat self");
  for (off_t left = about.st_size; left > 0;) {
    const ssize_t sent = sendfile(copy, self, nullptr, static_cast<size_t>(left));
    if (sent <= 0) Fail("copy");
    left -= sent;
  }
  Must(fchmod(copy, 0700), "chmod copy");
}

// Goes on as a copy of this program that never was a file.
[[noreturn]] void RunMemoryCopy(const std::string& name, int ready, int life) {
  const int copy = memfd_create(name.empty() ? "desk-actor" : name.c_str(), MFD_CLOEXEC);
  Must(copy, "memfd");
  CopySelf(copy);
  const std::string ready_text = std::to_string(ready), life_text = std::to_string(life);
  const char* words[] = {"actor", kHold, ready_text.c_str(), life_text.c_str(), "", nullptr};
  fexecve(copy, const_cast<char* const*>(words), environ);
  Fail("exec memfd");
}

void OpenPacketSocket(bool promiscuous) {
  const int opened = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL));
  Must(opened, "packet socket");
  if (!promiscuous) return;
  packet_mreq asked = {};
  asked.mr_ifindex = static_cast<int>(if_nametoindex("lo"));
  asked.mr_type = PACKET_MR_PROMISC;
  Must(setsockopt(opened, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &asked, sizeof asked), "promiscuous");
}

// Goes on as an unlinked copy of this program, which reports its pid and waits.
[[noreturn]] void RunDeletedCopy(int ready, int life) {
  const char* folder = getenv("TMPDIR");
  std::string path = std::string(folder != nullptr ? folder : "/tmp") + "/desk-actor-XXXXXX";
  const int copy = mkstemp(path.data());
  Must(copy, "copy " + path);
  CopySelf(copy);
  close(copy);
  const std::string ready_text = std::to_string(ready), life_text = std::to_string(life);
  execl(path.c_str(), "actor", kHold, ready_text.c_str(), life_text.c_str(), path.c_str(), nullptr);
  unlink(path.c_str());
  Fail("exec " + path);
}

// PR_SET_PDEATHSIG is cleared by a change of credentials: set it last, then check whether the parent still
// lives.
void DieWithParent(pid_t parent) {
  Must(prctl(PR_SET_PDEATHSIG, SIGKILL), "death signal");
  if (parent != 0 && getppid() != parent) _exit(0);
}

// After unshare(CLONE_NEWPID) only children are in the new namespace: the child goes on, this process waits
// for it. The child does not know the pid that we see: it is reported here, and the child writes 0 once
// everything is set.
void EnterPidNamespace(int ready) {
  const pid_t child = fork();
  Must(child, "fork");
  if (child == 0) return DieWithParent(0);
  Report(ready, child);
  waitpid(child, nullptr, 0);
  _exit(0);
}

void Become(const std::string& words, int ready, int life, pid_t parent) {
  bool reported = false, strict = false, zombie = false, traced = false, exited_leader = false,
       silent = false;
  for (size_t at = 0; at <= words.size();) {
    const size_t comma = std::min(words.find(',', at), words.size());
    const std::string word = words.substr(at, comma - at);
    at = comma + 1;
    const size_t equals = word.find('=');
    const std::string key = word.substr(0, equals),
                      value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (key == "plain") continue;
    if (key == "filter")
      InstallFilter();
    else if (key == "strict")
      strict = true;
    else if (key == "nnp")
      ForbidNewPrivileges();
    else if (key == "drop")
      EmptyBoundingSet();
    else if (key == "uid") {
      const auto id = static_cast<unsigned>(std::stoul(value));
      Must(setresgid(id, id, id), "gid");
      Must(setresuid(id, id, id), "uid");
      // As after an exec: without it the process would belong to root in /proc (prctl(2), PR_SET_DUMPABLE).
      Must(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0), "dumpable");
    } else if (key == "euid") {
      Must(
          setresuid(static_cast<uid_t>(-1), static_cast<unsigned>(std::stoul(value)), static_cast<uid_t>(-1)),
          "euid");
    } else if (key == "unshare") {
      Must(unshare(UnshareFlags(value)), "unshare " + value);
      if ((UnshareFlags(value) & CLONE_NEWPID) != 0) {
        EnterPidNamespace(ready);
        reported = true;
      }
    } else if (key == "thread")
      AddThread(value);
    else if (key == "name")
      SetName(value);
    else if (key == "tty")
      TakeTerminal();
    else if (key == "daemon")
      Must(setsid(), "setsid");
    else if (key == "deleted")
      RunDeletedCopy(ready, life);
    else if (key == "memfd")
      RunMemoryCopy(value, ready, life);
    else if (key == "packet" || key == "promiscuous")
      OpenPacketSocket(key == "promiscuous");
    else if (key == "listen")
      Listen(value);
    else if (key == "inflight")
      ListenInFlight(value);
    else if (key == "undumpable")
      Must(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0), "dumpable");
    else if (key == "code")
      MapCode(value);
    else if (key == "library")
      MapLibrary(value);
    else if (key == "silent")
      silent = true;
    else if (key == "exited-leader")
      exited_leader = true;
    else if (key == "zombie")
      zombie = true;
    else if (key == "traced")
      traced = true;
    else {
      errno = EINVAL;
      Fail("word " + word);
    }
  }
  if (!reported) DieWithParent(parent);
  pid_t subject = getpid();
  if (zombie) {
    subject = fork();
    Must(subject, "fork");
    if (subject == 0) _exit(0);
    siginfo_t ended;
    Must(waitid(P_PID, static_cast<id_t>(subject), &ended, WEXITED | WNOWAIT), "wait");
  }
  if (traced) {
    subject = fork();
    Must(subject, "fork");
    if (subject == 0) {
      DieWithParent(0);
      Hold(life, false);
    }
    Must(ptrace(PTRACE_SEIZE, subject, nullptr, nullptr), "trace");
  }
  if (strict) Must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT), "seccomp strict");
  if (silent) BeSilent(ready, life, reported ? 0 : subject);
  if (exited_leader) ExitLeader(ready, life, reported ? 0 : subject);
  Report(ready, reported ? 0 : subject);
  Hold(life, strict);
}

std::vector<pid_t> Start(const std::string& words, Pipe life, std::vector<pid_t>& children) {
  const bool farm = words.rfind("farm=", 0) == 0;
  const unsigned long copies = farm ? std::stoul(words.substr(5)) : 1;
  // An entered pid namespace reports twice: the pid, then 0 once everything is set.
  const bool twice = words.find("unshare=") != std::string::npos && words.find("pid") != std::string::npos;
  std::vector<pid_t> pids;
  for (unsigned long copy = 0; copy < copies; ++copy) {
    const Pipe ready = MakePipe();
    const pid_t parent = getpid(), child = fork();
    Must(child, "fork");
    if (child == 0) {
      close(ready.read_end);
      close(life.write_end);  // a holder of the read end alone sees end of file when the actor is gone
      Become(farm ? "plain" : words, ready.write_end, life.read_end, parent);
    }
    close(ready.write_end);
    children.push_back(child);
    for (int report = 0; report < (twice ? 2 : 1); ++report) {
      pid_t pid = 0;
      if (read(ready.read_end, &pid, sizeof pid) != sizeof pid) _exit(1);  // the child has said why
      if (pid != 0) pids.push_back(pid);
    }
    close(ready.read_end);
  }
  return pids;
}

}  // namespace

int main(int count, char** words) {
  if (count == 5 && strcmp(words[1], kHold) == 0) {
    if (*words[4] != '\0') Must(unlink(words[4]), "unlink");
    Must(prctl(PR_SET_PDEATHSIG, SIGKILL), "death signal");
    Report(atoi(words[2]), getpid());
    Hold(atoi(words[3]), false);
  }
  Must(prctl(PR_SET_PDEATHSIG, SIGKILL), "death signal");
  const Pipe life = MakePipe();
  std::vector<pid_t> children;
  std::string line = "[";
  for (int at = 1; at < count; ++at) {
    line += at > 1 ? ",[" : "[";
    const std::vector<pid_t> pids = Start(words[at], life, children);
    for (size_t index = 0; index < pids.size(); ++index)
      line += (index > 0 ? "," : "") + std::to_string(pids[index]);
    line += "]";
  }
  line += "]\n";
  if (write(STDOUT_FILENO, line.data(), line.size()) != static_cast<ssize_t>(line.size())) return 1;
  char byte;
  for (ssize_t got = 1; got > 0 || (got < 0 && errno == EINTR);) got = read(STDIN_FILENO, &byte, 1);
  for (const pid_t child : children) kill(child, SIGKILL);
  for (const pid_t child : children) waitpid(child, nullptr, 0);
  return 0;
}
