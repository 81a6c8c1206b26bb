// File systems that hang: `silent_fs FOLDER...` mounts one at each folder, in the mount namespace that it was
// started in, and answers nothing but the kernel's greeting. Prints a line once all are mounted, and ends
// them when its stdin closes: what waits for them then gets an error.
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace {

[[noreturn]] void Fail(const std::string& what) {
  dprintf(STDERR_FILENO, "error %s: %s\n", what.c_str(), strerror(errno));
  _exit(1);
}

// One request; all but the first one wait for ever.
void Take(int fuse) {
  static char request[1 << 20];
  const ssize_t got = read(fuse, request, sizeof request);
  if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == ENOENT)) return;
  if (got < 0) Fail("request");
  fuse_in_header header;
  memcpy(&header, request, sizeof header);
  if (header.opcode != FUSE_INIT) return;
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
  for (int at = 1; at < count; ++at) {
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
      if ((watched[at].revents & POLLIN) != 0) Take(watched[at].fd);
    if ((watched[0].revents & (POLLIN | POLLHUP)) != 0) return 0;
  }
}
