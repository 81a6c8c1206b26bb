// openat2(2): opening with restrictions on how the path is resolved.
#pragma once

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "core/fd.h"
#include "core/result.h"

namespace desk {

// `flags` are those of open(2), O_CLOEXEC added; `resolve` is RESOLVE_*.
inline Result<Fd> OpenAt(int directory, const char* path, std::uint64_t flags, std::uint64_t resolve,
                         std::uint64_t mode = 0) {
  const open_how how{.flags = flags | O_CLOEXEC, .mode = mode, .resolve = resolve};
  for (;;) {
    Fd opened(static_cast<int>(::syscall(SYS_openat2, directory, path, &how, sizeof how)));
    if (opened.valid()) return opened;
    if (errno != EINTR) return Errno{errno};
  }
}

}  // namespace desk
