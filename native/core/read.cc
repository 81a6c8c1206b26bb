#include "core/read.h"

#include <fcntl.h>
#include <unistd.h>

#include <climits>
#include <cstddef>
#include <vector>

#include "core/fd.h"

namespace desk {
namespace {

constexpr std::size_t kFirstBytes = 16 << 10;
constexpr std::size_t kMostBytes = 64 << 20;
// A buffer that one large file made larger than this shrinks with the next file.
constexpr std::size_t kKeptBytes = 1 << 20;

int OpenForReading(int directory, const char* path) {
  // O_NONBLOCK and O_NOCTTY: a fifo or terminal in a fixture folder must not block the reader or become its
  // controlling terminal.
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  int fd = -1;
  do {
    fd = ::openat(directory, path, kFlags);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

Result<std::string_view> ReadOpen(int file, bool one_record) {
  thread_local std::vector<char> buffer(kFirstBytes);
  if (buffer.size() > kKeptBytes) std::vector<char>(kFirstBytes).swap(buffer);
  std::size_t filled = 0;
  for (;;) {
    if (filled == buffer.size()) {
      if (filled >= kMostBytes) return Errno{EFBIG};
      buffer.resize(buffer.size() * 4);
    }
    const std::size_t room = buffer.size() - filled;
    const ssize_t got = ::pread(file, buffer.data() + filled, room, static_cast<off_t>(filled));
    if (got < 0) {
      if (errno == EINTR) continue;
      return Errno{errno};
    }
    filled += static_cast<std::size_t>(got);
    if (got == 0 || (one_record && static_cast<std::size_t>(got) < room)) break;
  }
  return std::string_view(buffer.data(), filled);
}

Result<std::string_view> Read(int directory, const char* path, bool one_record) {
  const Fd file(OpenForReading(directory, path));
  if (!file.valid()) return Errno{errno};
  return ReadOpen(file.get(), one_record);
}

}  // namespace

Result<std::string_view> ReadFile(int directory, const char* path) { return Read(directory, path, false); }

Result<std::string_view> ReadRecord(int directory, const char* path) { return Read(directory, path, true); }

Result<std::string_view> ReadRecordAgain(int file) { return ReadOpen(file, true); }

Result<std::string_view> ReadFileAgain(int file) { return ReadOpen(file, false); }

Result<std::string_view> ReadLink(int directory, const char* path) {
  thread_local char buffer[2 * PATH_MAX];
  const ssize_t got = ::readlinkat(directory, path, buffer, sizeof buffer);
  if (got < 0) return Errno{errno};
  if (static_cast<std::size_t>(got) == sizeof buffer) return Errno{ENAMETOOLONG};
  return std::string_view(buffer, static_cast<std::size_t>(got));
}

}  // namespace desk
