#include "mail/message_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <memory>
#include <string>

#include "core/fd.h"
#include "core/result.h"
#include "core/text.h"
#include "mail/header_fields.h"

namespace desk {
namespace {

// Most headers end within it.
constexpr std::size_t kFirstRead = 16'384;

using Buffer = std::array<char, kMostHeader>;

// Bytes read into the buffer from `at` on, at most `most`; an errno when the system refuses.
Result<std::size_t> ReadSome(int file, Buffer& buffer, std::size_t at, std::size_t most) {
  for (;;) {
    const ssize_t got = ::read(file, buffer.data() + at, most);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return Errno{errno};
  }
}

// The header, as far as it is looked at; empty for what is no message.
Result<std::string_view> ReadHeader(const char* path, Buffer& buffer) {
  const Fd file(::open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.valid()) return Errno{errno};
  struct stat facts {};
  if (::fstat(file.get(), &facts) != 0) return Errno{errno};
  if (!S_ISREG(facts.st_mode)) return std::string_view();
  std::size_t length = 0;
  for (std::size_t most = kFirstRead; length < buffer.size(); most = buffer.size() - length) {
    const Result<std::size_t> got = ReadSome(file.get(), buffer, length, most);
    if (!got) return Errno{got.error()};
    length += *got;
    if (*got < most) break;
    const std::size_t end = HeaderEnd({buffer.data(), length});
    if (end != std::string_view::npos) return std::string_view(buffer.data(), end);
  }
  return std::string_view(buffer.data(), length);
}

bool NoMessage(int error) {
  return error == ENOENT || error == ELOOP || error == ENXIO || error == ENODEV || error == EAGAIN;
}

}  // namespace

std::vector<std::int32_t> ReadMessageFiles(std::string_view paths, std::int64_t now_ms, std::int64_t for_ms,
                                           MessageReader& reader) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(for_ms);
  std::vector<std::int32_t> states;
  const auto buffer = std::make_unique<Buffer>();
  std::string path;
  while (!paths.empty() && (states.empty() || std::chrono::steady_clock::now() < until)) {
    path = TakeUntil(paths, '\0');
    const Result<std::string_view> header = ReadHeader(path.c_str(), *buffer);
    if (!header) {
      states.push_back(NoMessage(header.error()) ? kNoMessage : header.error());
    } else if (header->empty()) {
      states.push_back(kNoMessage);
    } else {
      reader.Add(*header, now_ms);
      states.push_back(kMessage);
    }
  }
  return states;
}

}  // namespace desk
