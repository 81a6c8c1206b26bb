#include "peek/command_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "core/fd.h"
#include "core/text.h"
#include "peek/subject.h"

namespace desk {
namespace {

constexpr std::size_t kMostCommandLine = 4096;
// During execve(2) a process has no command line yet.
constexpr int kStartingAttempts = 10;
constexpr unsigned kStartingPauseUs = 1000;

}  // namespace

bool WriteCommandLine(const Subject& subject, Writer& out) {
  ssize_t got = 0;
  int error = 0;
  std::optional<bool> started;
  for (int left = kStartingAttempts; left > 0; --left) {
    // Before the command line: it could get one after it was read.
    started = HasStarted(subject);
    const Fd file(::openat(subject.folder.get(), subject.File("cmdline").c_str(), O_RDONLY | O_CLOEXEC));
    char byte = 0;
    got = file.valid() ? ::read(file.get(), &byte, 1) : -1;
    error = got < 0 ? errno : 0;
    if (got != 0 || started == true) break;
    ::usleep(kStartingPauseUs);
  }
  if (got == 0 && started == false) return false;
  out.Name("emptyCommandLine");
  if (error != 0)
    out.Refusal(error, "cmdline");
  else
    out.Truth(got == 0);
  return true;
}

void WriteArguments(const Subject& subject, Writer& out) {
  std::string line;
  int error = ReadPieces(subject, "cmdline", kNoLimit, [&](std::string_view piece) {
    line.append(piece.substr(0, kMostCommandLine + 1 - line.size()));
    return line.size() <= kMostCommandLine;
  });
  const bool cut = line.size() > kMostCommandLine;
  if (cut) {
    const std::size_t last = line.rfind('\0', kMostCommandLine);
    line.resize(last == std::string::npos ? 0 : last + 1);
  }
  out.Name("arguments");
  if (error != 0) {
    out.Refusal(error, "cmdline");
  } else {
    out.Open('[');
    for (std::string_view rest = line; !rest.empty();) out.Text(TakeUntil(rest, '\0'));
    out.Close(']').Name("cut").Truth(cut);
  }
  ::explicit_bzero(line.data(), line.size());
}

}  // namespace desk
