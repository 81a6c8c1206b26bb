#include "probe/preload_file.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include "core/plain_syscall.h"
#include "core/text.h"

namespace desk {
namespace {

constexpr std::string_view kBetween = " \t\n:";

Result<std::string> ReadAll(long file) {
  std::string text(kMostPreloadBytes, '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const long got = PlainSyscall(SYS_read, file, reinterpret_cast<long>(text.data() + filled),
                                  static_cast<long>(text.size() - filled));
    if (got == -EINTR) continue;
    if (got < 0) return Errno{static_cast<int>(-got)};
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  text.resize(filled);
  return text;
}

}  // namespace

std::vector<std::string_view> ParsePreload(std::string_view text) {
  std::vector<std::string_view> libraries;
  while (!text.empty()) {
    std::string_view line = TakeUntil(text, '\n');
    line = TakeUntil(line, '#');
    while (!line.empty()) {
      const std::size_t from = line.find_first_not_of(kBetween);
      if (from == std::string_view::npos) break;
      line.remove_prefix(from);
      const std::string_view name = line.substr(0, line.find_first_of(kBetween));
      libraries.push_back(name);
      line.remove_prefix(name.size());
    }
  }
  return libraries;
}

Result<PreloadFile> ReadPreloadFile(const std::string& top) {
  const std::string path = top + "/etc/ld.so.preload";
  // A fifo or terminal in its place must not block the reader or become its controlling terminal.
  constexpr long kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  const long file = PlainSyscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path.c_str()), kFlags);
  if (file == -ENOENT) return PreloadFile{};
  if (file < 0) return Errno{static_cast<int>(-file)};
  const Result<std::string> text = ReadAll(file);
  PlainSyscall(SYS_close, file);
  if (!text) return text.refusal();
  PreloadFile found{.bytes = static_cast<std::uint32_t>(text->size()), .libraries = {}};
  for (const std::string_view library : ParsePreload(*text)) found.libraries.emplace_back(library);
  return found;
}

}  // namespace desk
