// Swaps the entry of a name in a tight loop until stdin closes, with a dot for every 16 times: a stale
// file, a symbolic link, a hard link, a fifo, a folder, and where it may (argument `mounts`) a bind mount;
// and the folder `quarantine` for a link that leads out.
//
// Usage: swapper STATE NAME VICTIM OUTSIDE [mounts]
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <string>

namespace {

void Put(const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (file >= 0) close(file);
}

}  // namespace

int main(int count, char** words) {
  if (count < 5) return 2;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const std::string state = words[1], name = state + "/" + words[2], victim = words[3], outside = words[4];
  const std::string fresh = name + ".fresh", folder = state + "/quarantine";
  const std::string way_out = state + "/way-out";
  const bool mounts = count > 5 && strcmp(words[5], "mounts") == 0;
  if (symlink(outside.c_str(), way_out.c_str()) != 0) return 1;
  unsigned long turns = 0;
  for (pollfd input{0, POLLIN, 0}; poll(&input, 1, 0) == 0; ++turns) {
    if (turns % 16 == 0 && write(STDOUT_FILENO, ".", 1) != 1) return 1;
    // A rename over another name of the same file does nothing and leaves this one.
    unlink(fresh.c_str());
    switch (turns % 8) {
      case 0:
      case 3:
      case 5: Put(fresh); break;
      case 1:
        if (symlink(victim.c_str(), fresh.c_str()) != 0) continue;
        break;
      case 2:
        if (link(victim.c_str(), fresh.c_str()) != 0) continue;
        break;
      case 4:
        if (mkfifo(fresh.c_str(), 0600) != 0) continue;
        break;
      case 6:
        if (mounts) {
          Put(name);
          if (mount(victim.c_str(), name.c_str(), nullptr, MS_BIND, nullptr) == 0) {
            usleep(200);
            while (umount2(name.c_str(), MNT_DETACH) == 0) {
            }
          }
        } else {
          unlink(name.c_str());
          // One that was moved meanwhile and restored: nothing else could take its name any more.
          rmdir(name.c_str());
          if (mkdir(name.c_str(), 0700) == 0) rmdir(name.c_str());
        }
        continue;
      case 7:
        if (renameat2(AT_FDCWD, folder.c_str(), AT_FDCWD, way_out.c_str(), RENAME_EXCHANGE) == 0) {
          usleep(50);
          renameat2(AT_FDCWD, folder.c_str(), AT_FDCWD, way_out.c_str(), RENAME_EXCHANGE);
        }
        continue;
    }
    rename(fresh.c_str(), name.c_str());
    if (turns % 16 < 8) usleep(100);
    // A stale file is left unchanged for a while now and then.
    if (turns % 32 == 0) usleep(20'000);
  }
}
