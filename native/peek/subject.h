// The process of a request, held by its folder in /proc.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "core/fd.h"
#include "probe/proc_stat.h"

namespace desk {

// An existing process: its folder, and below it that of a living thread.
struct Subject {
  Fd folder;
  // "" or "task/123/".
  std::string thread;
  std::uint64_t start = 0;
  std::uint64_t code_start = 0;
  std::int32_t parent = 0;

  std::string File(const char* name) const { return thread + name; }
};

// The process of this pid and start (clock ticks after boot) below the descriptor of /proc; nothing when it
// has ended.
std::optional<Subject> OpenSubject(int proc, std::int32_t pid, std::uint64_t start);

// Its executable (proc_pid_exe(5)). Empty when it is unreadable.
std::string ExecutableOf(const Subject& subject);

// False during execve(2), until the kernel has placed the command line and the environment in the new memory,
// and when it has released its memory. Nothing when that is hidden. The kernel takes no 0 from prctl(2) for
// the end of the environment, so a process cannot pretend it.
std::optional<bool> HasStarted(const Subject& subject);

inline constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

// Gives a file to take(piece) until it ends or take returns false; 0, the errno of a refusal, or EFBIG beyond
// `most` bytes. The buffer is wiped afterwards.
template <class Take>
int ReadPieces(const Subject& subject, const char* name, std::uint64_t most, Take&& take) {
  const Fd file(::openat(subject.folder.get(), subject.File(name).c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!file.valid()) return errno;
  // Only what was read into it is read.
  static std::array<char, 64 << 10> buffer;
  int error = 0;
  for (std::uint64_t read = 0;;) {
    const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) error = errno;
    if (got <= 0) break;
    read += static_cast<std::uint64_t>(got);
    if (read > most) {
      error = EFBIG;
      break;
    }
    if (!take(std::string_view(buffer.data(), static_cast<std::size_t>(got)))) break;
  }
  // Others' environments and command lines hold secrets.
  ::explicit_bzero(buffer.data(), buffer.size());
  return error;
}

// /proc/PID/auxv, the auxiliary vector that the kernel passes to a program at its start (getauxval(3)); empty
// when it is unreadable.
std::string ReadVector(const Subject& subject);

// AT_SECURE: the program gained rights when it was started, like set-user-ID programs, so that the loader
// ignores its environment (ld.so(8)). False when it is unknown.
bool IsSecure(std::string_view vector);

}  // namespace desk
