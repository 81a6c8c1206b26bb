// statx(2), which musl has since 1.2.5 and that of Zig 0.11 does not: for CMakeLists.txt.
#pragma once

#include <linux/stat.h>
#include_next <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int statx(int folder, const char* path, int flags, unsigned mask, struct statx* out) {
  return (int)syscall(SYS_statx, folder, path, flags, mask, out);
}
