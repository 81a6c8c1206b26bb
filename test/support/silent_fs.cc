// File systems that hang: `silent_fs FOLDER... [-- FOLDER...]` mounts one at each folder, in the mount
// namespace that it was started in. The first ones answer nothing but the kernel's greeting; those behind
// `--` have one program, `planted`, that can be listed and opened, and hang when it is read. Prints a line
// once all are mounted, and ends them when its stdin closes: what waits for them then gets an error.
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

[[noreturn]] void Fail(const std::string& what) {
  dprintf(STDERR_FILENO, "error %s: %s\n", what.c_str(), strerror(errno));
  _exit(1);
}

constexpr char kName[] = "planted";
constexpr std::uint64_t kFolder = FUSE_ROOT_ID;
constexpr std::uint64_t kProgram = 2;

template <typename Body>
void Answer(int fuse, std::uint64_t unique, const Body& body) {
  struct {
    fuse_out_header header;
    Body body;
  } answer = {};
  answer.header.len = sizeof answer.header + sizeof body;
  answer.header.unique = unique;
  answer.body = body;
  if (write(fuse, &answer, answer.header.len) < 0 && errno != ENOENT) Fail("answer");
}

void Refuse(int fuse, std::uint64_t unique, int error) {
  const fuse_out_header header = {.len = sizeof header, .error = -error, .unique = unique};
  if (write(fuse, &header, sizeof header) < 0 && errno != ENOENT) Fail("refusal");
}

fuse_attr AttributesOf(std::uint64_t node) {
  fuse_attr attributes = {};
  attributes.ino = node;
  attributes.mode = node == kFolder ? S_IFDIR | 0755 : S_IFREG | 0755;
  attributes.nlink = 1;
  attributes.size = node == kFolder ? 0 : 100;
  attributes.blksize = 4096;
  return attributes;
}

// The one name, once.
void List(int fuse, std::uint64_t unique, const char* request) {
  fuse_read_in asked;
  memcpy(&asked, request, sizeof asked);
  if (asked.offset != 0) {
    const fuse_out_header end = {.len = sizeof end, .error = 0, .unique = unique};
    if (write(fuse, &end, sizeof end) < 0) Fail("end");
    return;
  }
  // fuse_dirent, whose name has no size.
  struct Listing {
    std::uint64_t ino = kProgram;
    std::uint64_t off = 1;
    std::uint32_t length = sizeof kName - 1;
    std::uint32_t type = S_IFREG >> 12;
    char name[sizeof kName] = {};
  } listing;
  static_assert(sizeof listing % sizeof(std::uint64_t) == 0);
  memcpy(listing.name, kName, sizeof kName);
  Answer(fuse, unique, listing);
}

// A request of a file system that hangs only when it is read.
void Serve(int fuse, const fuse_in_header& header, const char* request) {
  const std::uint64_t unique = header.unique;
  switch (header.opcode) {
    case FUSE_LOOKUP: {
      if (strcmp(request, kName) != 0) return Refuse(fuse, unique, ENOENT);
      fuse_entry_out entry = {};
      entry.nodeid = kProgram;
      entry.attr = AttributesOf(kProgram);
      return Answer(fuse, unique, entry);
    }
    case FUSE_GETATTR: {
      fuse_attr_out out = {};
      out.attr = AttributesOf(header.nodeid);
      return Answer(fuse, unique, out);
    }
    case FUSE_OPEN:
    case FUSE_OPENDIR: return Answer(fuse, unique, fuse_open_out{});
    case FUSE_READDIR: return List(fuse, unique, request);
    case FUSE_READ:
    case FUSE_FORGET: return;
    default: return Refuse(fuse, unique, ENOSYS);
  }
}

// One request; of a silent file system, all but the first one wait for ever.
void Take(int fuse, bool serves) {
  static char request[1 << 20];
  const ssize_t got = read(fuse, request, sizeof request);
  if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == ENOENT)) return;
  if (got < 0) Fail("request");
  fuse_in_header header;
  memcpy(&header, request, sizeof header);
  if (header.opcode != FUSE_INIT) {
    if (serves) Serve(fuse, header, request + sizeof header);
    return;
  }
  fuse_init_in asked;
  memcpy(&asked, request + sizeof header, sizeof asked);
  struct {
    fuse_out_header header;
    fuse_init_out body;
  } answer = {};
  answer.header.len = sizeof answer;
  answer.header.unique = header.unique;
  answer.body.major = FUSE_KERNEL_VERSION;
  answer.body.minor = asked.minor < FUSE_KERNEL_MINOR_VERSION ? asked.minor : FUSE_KERNEL_MINOR_VERSION;
  answer.body.max_write = 4096;
  if (write(fuse, &answer, sizeof answer) < 0) Fail("greeting");
}

}  // namespace

int main(int count, char** words) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) Fail("death signal");
  std::vector<pollfd> watched{{STDIN_FILENO, POLLIN, 0}};
  // The first one that serves.
  std::size_t serving = SIZE_MAX;
  for (int at = 1; at < count; ++at) {
    if (strcmp(words[at], "--") == 0) {
      serving = watched.size();
      continue;
    }
    const int fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (fuse < 0) Fail("open /dev/fuse");
    const std::string options =
        "fd=" + std::to_string(fuse) + ",rootmode=40000,user_id=0,group_id=0,allow_other";
    if (mount("silent", words[at], "fuse", MS_NOSUID | MS_NODEV, options.c_str()) < 0) Fail(words[at]);
    watched.push_back({fuse, POLLIN, 0});
  }
  if (write(STDOUT_FILENO, "mounted\n", 8) < 0) Fail("print");
  for (;;) {
    if (poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) Fail("poll");
    for (std::size_t at = 1; at < watched.size(); ++at)
      if ((watched[at].revents & POLLIN) != 0) Take(watched[at].fd, at >= serving);
    if ((watched[0].revents & (POLLIN | POLLHUP)) != 0) return 0;
  }
}
