#include "act/own_child.h"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "core/pidfd.h"

namespace desk {

Result<std::optional<ChildEnd>> ReapChild(pid_t pid) {
  int status = 0;
  pid_t reaped = 0;
  do {
    reaped = ::waitpid(pid, &status, WNOHANG);
  } while (reaped < 0 && errno == EINTR);
  if (reaped < 0) return Errno{errno};
  if (reaped == 0) return std::optional<ChildEnd>();
  return std::optional(ChildEnd{.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                                .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0});
}

int KillChild(pid_t pid) {
  const Result<Fd> held = OpenPidfd(pid);
  if (!held) return held.error();
  // The pid is reused only after the child was reaped, and then it is not a child of ours.
  siginfo_t about{};
  if (::waitid(P_PID, static_cast<id_t>(pid), &about, WEXITED | WNOHANG | WNOWAIT) != 0) return errno;
  return ::syscall(SYS_pidfd_send_signal, held->get(), SIGKILL, nullptr, 0u) == 0 ? 0 : errno;
}

}  // namespace desk
