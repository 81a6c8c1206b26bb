#include "act/open_elsewhere.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "core/directory.h"
#include "core/fd.h"

namespace desk {
namespace {

struct FileId {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::uint64_t inode = 0;
  bool operator==(const FileId&) const = default;
};

// AT_STATX_DONT_SYNC: a file server that does not answer must not block us.
Result<FileId> IdOf(int directory, const char* path, int flags) {
  struct statx about {};
  if (::statx(directory, path, flags | AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_INO, &about) != 0) {
    return Errno{errno};
  }
  return FileId{.major = about.stx_dev_major, .minor = about.stx_dev_minor, .inode = about.stx_ino};
}

// "123" and "123/fd" need 11 digits and a tail.
struct NumberPath {
  char text[16] = {};
  explicit NumberPath(std::int32_t number, const char* tail = "") {
    char* const end = std::to_chars(text, text + 11, number).ptr;
    std::copy_n(tail, std::char_traits<char>::length(tail) + 1, end);
  }
};

// Links of sockets and pipes are not paths: only a link to a file is followed.
bool NamesFile(int directory, const char* name) {
  char first = '\0';
  return ::readlinkat(directory, name, &first, 1) == 1 && first == '/';
}

}  // namespace

Result<bool> OpenElsewhere(int fd) {
  const Result<FileId> wanted = IdOf(fd, "", AT_EMPTY_PATH);
  if (!wanted) return wanted.refusal();
  const std::int32_t self = ::getpid();
  bool found = false;
  const Result<bool> walked = WalkNumbers(AT_FDCWD, "/proc", [&](std::int32_t pid, int proc) {
    // A process that ended or is not accessible is skipped.
    const Result<bool> seen =
        WalkNumbers(proc, NumberPath(pid, "/fd").text, [&](std::int32_t number, int directory) {
          if (pid == self && number == fd) return true;
          const NumberPath name(number);
          if (!NamesFile(directory, name.text)) return true;
          const Result<FileId> id = IdOf(directory, name.text, 0);
          found = id && *id == *wanted;
          return !found;
        });
    (void)seen.ok();
    return !found;
  });
  if (!walked) return walked.refusal();
  return found;
}

}  // namespace desk
