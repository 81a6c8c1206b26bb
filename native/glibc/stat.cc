// stat(2) and its relatives for the packages that are compiled by Zig for glibc (CMakeLists.txt).
// Before 2.33, glibc links these functions statically. Zig's copy sets a private errno, so callers would
// report an older error. syscall() of libc sets the real one. On x86_64 and aarch64 the kernel fills struct
// stat as it is.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

int fstat(int fd, struct stat* out) { return static_cast<int>(syscall(SYS_fstat, fd, out)); }

int fstatat(int folder, const char* path, struct stat* out, int flags) {
  return static_cast<int>(syscall(SYS_newfstatat, folder, path, out, flags));
}

int stat(const char* path, struct stat* out) { return fstatat(AT_FDCWD, path, out, 0); }

int lstat(const char* path, struct stat* out) { return fstatat(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW); }

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
