// Process descriptors: pidfd_open(2).
#pragma once

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "core/fd.h"
#include "core/result.h"

namespace desk {

inline Result<Fd> OpenPidfd(std::int32_t pid) {
  Fd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0u)));
  if (!pidfd.valid()) return Errno{errno};
  return pidfd;
}

// A pidfd becomes readable when the last thread of its process has ended. A refusal when poll(2) fails.
inline Result<bool> HasExited(const Fd& pidfd) {
  pollfd entry{.fd = pidfd.get(), .events = POLLIN, .revents = 0};
  for (;;) {
    const int ready = ::poll(&entry, 1, 0);
    if (ready >= 0) return ready > 0;
    if (errno != EINTR) return Errno{errno};
  }
}

}  // namespace desk
