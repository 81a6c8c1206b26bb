// A rootkit for tests, like real ones that are loaded by /etc/ld.so.preload: the C library reports to every
// caller that this file does not exist. Loaded only inside a private mount namespace of the test.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>

namespace {

bool Hides(const char* path) {
  if (path == nullptr || strstr(path, "ld.so.preload") == nullptr) return false;
  errno = ENOENT;
  return true;
}

template <class Function>
Function* Real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

mode_t ModeOf(int flags, va_list list) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0;
}

}  // namespace

#define HIDE_OPEN(name)                                                \
  extern "C" int name(const char* path, int flags, ...) {              \
    va_list list;                                                      \
    va_start(list, flags);                                             \
    const mode_t mode = ModeOf(flags, list);                           \
    va_end(list);                                                      \
    if (Hides(path)) return -1;                                        \
    return Real<int(const char*, int, ...)>(#name)(path, flags, mode); \
  }
#define HIDE_OPENAT(name)                                                              \
  extern "C" int name(int directory, const char* path, int flags, ...) {               \
    va_list list;                                                                      \
    va_start(list, flags);                                                             \
    const mode_t mode = ModeOf(flags, list);                                           \
    va_end(list);                                                                      \
    if (Hides(path)) return -1;                                                        \
    return Real<int(int, const char*, int, ...)>(#name)(directory, path, flags, mode); \
  }

HIDE_OPEN(open)
HIDE_OPEN(open64)
HIDE_OPENAT(openat)
HIDE_OPENAT(openat64)

extern "C" int access(const char* path, int mode) {
  return Hides(path) ? -1 : Real<int(const char*, int)>("access")(path, mode);
}
extern "C" FILE* fopen(const char* path, const char* mode) {
  return Hides(path) ? nullptr : Real<FILE*(const char*, const char*)>("fopen")(path, mode);
}
