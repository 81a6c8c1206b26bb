// renameat2(2), as statx(2) in sys/stat.h.
#pragma once

#include_next <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1

static inline int renameat2(int from_folder, const char* from, int to_folder, const char* to,
                            unsigned flags) {
  return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}
#endif
