// stat(2) and its relatives for the packages (CMakeLists.txt, with Zig for glibc). Before 2.33 glibc has them
// in a static part, and that of Zig sets an errno of its own, which nothing reads, so that the code of an
// earlier error would be reported. libc's syscall() sets the right one. On x86_64 and aarch64 the kernel
// fills struct stat as it is.
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
