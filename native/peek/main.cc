// desk-peek: reads requests from standard input, one per line, and answers each with a line of JSON, in order
// (peek/process.h): "PID START" reads the facts for the checks, "PID START about" describes the process, "PID
// START arguments" describes it with its command line, "PID START digest" hashes its executable, and "PID
// START file HEX" the file at the path of these bytes. "files DEPTH VIEWER HEX" reads the files that a
// pattern names (files/answer.h). The desk starts it in advance and kills it when an answer takes too long.
// Ends when its input ends.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "core/fd.h"
#include "core/text.h"
#include "files/answer.h"
#include "peek/process.h"
#include "privilege/privileges.h"

namespace {

// Of what reads whole files.
constexpr int kDigestNice = 10;

// The next line without its newline; nothing at the end of the input. A line that is too long is truncated,
// and then not a valid request.
std::optional<std::string_view> NextLine(std::string& line) {
  // The longest path in hexadecimal, and the words before it.
  constexpr std::size_t kMostLine = 2 * PATH_MAX + 64;
  static std::array<char, 4096> buffer;
  static std::size_t at = 0;
  static std::size_t filled = 0;
  line.clear();
  for (;;) {
    if (at == filled) {
      const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return std::nullopt;
      at = 0;
      filled = static_cast<std::size_t>(got);
    }
    const char byte = buffer[at++];
    if (byte == '\n') return line;
    if (line.size() < kMostLine) line += byte;
  }
}

bool Answer(std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(STDOUT_FILENO, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

int Fail(const char* message) {
  static_cast<void>(std::fprintf(stderr, "desk-peek: %s\n", message));
  return EXIT_FAILURE;
}

// Nothing for an invalid request, here and below.
std::optional<std::string> AnswerAboutFiles(std::string_view what) {
  static desk::files::Dpkg dpkg;
  desk::files::FileQuery query;
  if (!desk::files::ParseQuery(what, query)) return std::nullopt;
  ::setpriority(PRIO_PROCESS, 0, kDigestNice);
  return desk::files::AnswerQuery(query, dpkg);
}

std::optional<std::string> AnswerAboutProcess(int proc, std::string_view what) {
  const auto pid = desk::ParseNumber<std::int32_t>(desk::TakeUntil(what, ' '));
  const auto start = desk::ParseNumber<std::uint64_t>(desk::TakeUntil(what, ' '));
  if (!pid || *pid <= 0 || !start) return std::nullopt;
  if (what.empty()) return desk::Peek(proc, *pid, *start);
  if (what == "about" || what == "arguments") return desk::Describe(proc, *pid, *start, what == "arguments");
  const std::string_view word = desk::TakeUntil(what, ' ');
  if (word != "file" && (word != "digest" || !what.empty())) return std::nullopt;
  ::setpriority(PRIO_PROCESS, 0, kDigestNice);
  return word == "file" ? desk::PeekFile(*pid, *start, what) : desk::PeekDigest(proc, *pid, *start);
}

}  // namespace

// The argument: uid to change to when this is started by root.
int main(int count, char** words) {
  const std::optional<uid_t> uid =
      count > 1 && ::geteuid() == 0 ? desk::ParseNumber<uid_t>(words[1]) : std::nullopt;
  if (count > 1 && ::geteuid() == 0 && !uid) return Fail("the argument is a uid");
  // No core dump may contain what it reads.
  static_cast<void>(desk::ForbidCoreDumps());
  if (desk::CloseDescriptorsFrom(STDERR_FILENO + 1) != 0) return Fail("descriptors cannot be closed");
  // Keeps only what is needed to read processes.
  if (desk::LimitPrivilegesAnyUid({.kept = desk::kPeekCapabilities, .bounding = 0, .uid = uid}) != 0)
    return Fail("privileges cannot be given up");
  // Without capabilities it stays readable for the desk of the same user, which inspects every process.
  if (const auto has = desk::PermittedCapabilities(); has && *has != 0) desk::ForbidTracing();
  // It must not outlive the desk, nor be ended by a Ctrl-C for the desk. A change of uid clears this signal,
  // so it is set here.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  (void)std::signal(SIGINT, SIG_IGN);
  const desk::Fd proc(::open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!proc.valid()) return Fail("/proc cannot be opened");
  std::string line;
  while (std::optional<std::string_view> request = NextLine(line)) {
    constexpr std::string_view kFiles = "files ";
    const std::optional<std::string> answer = request->starts_with(kFiles)
                                                  ? AnswerAboutFiles(request->substr(kFiles.size()))
                                                  : AnswerAboutProcess(proc.get(), *request);
    if (!answer)
      return Fail(
          "a request is a line \"PID START\", with \"about\", \"arguments\", \"digest\" or \"file\" and a "
          "path behind it or nothing, or \"files\" with a depth, a uid and a pattern");
    if (!Answer(*answer + "\n")) return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
