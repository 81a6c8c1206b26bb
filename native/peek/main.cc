// desk-peek: reads requests from standard input, one per line, and answers each with a line of JSON, in order
// (peek/process.h): "PID START" reads the facts for the checks, "PID START about" describes the process, "PID
// START arguments" describes it with its command line, "PID START digest" hashes its executable, and "PID
// START file HEX" the file at the path of these bytes. "files DEPTH VIEWER HEX" reads the files that a
// pattern names (files/answer.h), and "privileged HEX" finds the programs below a mount point that run with
// rights of others. "packages" names those that are installed, and "verify ID SEAL" compares the files of
// one with its digests. "logins HEX" reads the last logins from a file. The desk starts it in advance and
// kills it when an answer takes too long. Ends when its input ends.
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
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

#include "core/errno_name.h"
#include "core/fd.h"
#include "core/hex.h"
#include "core/text.h"
#include "files/answer.h"
#include "files/watcher.h"
#include "peek/process.h"
#include "peek/writer.h"
#include "privilege/privileges.h"

namespace {

// Of what reads whole files.
constexpr int kDigestNice = 10;
// ioprio_set(2), which has no header of the C library.
constexpr int kIoprioWhoProcess = 1;
constexpr int kIoprioIdle = 3 << 13;

// Lines of standard input.
class Requests {
 public:
  // The next one without its newline, valid until the next call; nothing at the end of the input. A line that
  // is too long is truncated, and then not a valid request.
  std::optional<std::string_view> Next() {
    // The longest path in hexadecimal, and the words before it.
    constexpr std::size_t kMostLine = 2 * PATH_MAX + 64;
    line_.clear();
    for (;;) {
      if (at_ == filled_) {
        const ssize_t got = ::read(STDIN_FILENO, buffer_.data(), buffer_.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return std::nullopt;
        at_ = 0;
        filled_ = static_cast<std::size_t>(got);
      }
      const char byte = buffer_[at_++];
      if (byte == '\n') return line_;
      if (line_.size() < kMostLine) line_ += byte;
    }
  }

  // Some of the input was read and is not a request yet.
  bool pending() const { return at_ < filled_; }

 private:
  std::array<char, 4096> buffer_{};
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
  std::string line_;
};

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

desk::files::PackageDatabases& Databases() {
  static desk::files::PackageDatabases databases(desk::files::PackageDatabases::OfThisMachine());
  return databases;
}

// Nothing for an invalid request, here and below.
std::optional<std::string> AnswerAboutFiles(std::string_view what) {
  desk::files::FileQuery query;
  if (!desk::files::ParseQuery(what, query)) return std::nullopt;
  ::setpriority(PRIO_PROCESS, 0, kDigestNice);
  return desk::files::AnswerQuery(query, Databases());
}

// What reads whole file systems comes after what others want of processor and disk.
void StepBack() {
  ::setpriority(PRIO_PROCESS, 0, kDigestNice);
  ::syscall(SYS_ioprio_set, kIoprioWhoProcess, 0, kIoprioIdle);
}

std::optional<std::string> AnswerAboutPrivileged(std::string_view what) {
  const std::optional<std::string> mount = desk::ParseHexPath(what);
  if (!mount || !mount->starts_with('/')) return std::nullopt;
  StepBack();
  return desk::files::AnswerPrivileged(*mount, Databases());
}

std::optional<std::string> AnswerAboutLogins(std::string_view what) {
  const std::optional<std::string> path = desk::ParseHexPath(what);
  return path ? std::optional(desk::files::AnswerLogins(*path)) : std::nullopt;
}

std::string Verified(std::string_view what) {
  StepBack();
  return desk::files::AnswerVerify(what, Databases());
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

std::optional<std::string> AnswerTo(int proc, std::string_view request) {
  std::string_view what = request;
  const std::string_view word = desk::TakeUntil(what, ' ');
  if (word == "files") return AnswerAboutFiles(what);
  if (word == "privileged") return AnswerAboutPrivileged(what);
  if (word == "logins") return AnswerAboutLogins(what);
  if (word == "packages") return desk::files::AnswerPackages(Databases());
  if (word == "verify") return Verified(what);
  return AnswerAboutProcess(proc, request);
}

constexpr std::string_view kWatch = "watch";
// Events that follow each other are reported together.
constexpr int kTogetherMs = 50;

std::string Watching(const desk::files::Watcher& watcher) {
  std::string text;
  desk::Writer out(text);
  out.Open('{').Name("watching").Number(watcher.watches());
  out.Name("refused").Text(watcher.refused() == 0 ? "" : desk::ErrnoName(watcher.refused())).Close('}');
  return text;
}

std::string Changed(const desk::files::Watcher::Ids& ids) {
  std::string text;
  desk::Writer out(text);
  out.Open('{').Name("changed").Open('[');
  for (const std::uint32_t id : ids) out.Number(id);
  out.Close(']').Close('}');
  return text;
}

// From now on this process watches: "watch ID VIEWER HEX" adds a pattern, "watch" alone says how many folders
// are watched, and renews them. What changes is reported as it happens.
int Watch(std::string_view first, Requests& requests) {
  constexpr const char* kUsage = R"(a watch is a line "watch", or "watch" with an id, a uid and a pattern)";
  desk::Result<desk::files::Watcher> opened = desk::files::Watcher::Open();
  if (!opened) return Fail("the kernel gives no inotify instance");
  desk::files::Watcher& watcher = *opened;
  const auto take = [&](std::string_view line) {
    line.remove_prefix(kWatch.size());
    if (line.empty()) {
      watcher.Renew();
      return Answer(Watching(watcher) + "\n");
    }
    desk::TakeUntil(line, ' ');
    const auto id = desk::ParseNumber<std::uint32_t>(desk::TakeUntil(line, ' '));
    desk::files::FileQuery query;
    if (!id || !desk::files::ParsePattern(line, query)) return false;
    watcher.Add(*id, query.pattern, query.viewer);
    return true;
  };
  if (!take(first)) return Fail(kUsage);
  std::array<pollfd, 2> inputs{{{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0},
                                {.fd = watcher.fd(), .events = POLLIN, .revents = 0}}};
  for (;;) {
    if (!requests.pending() && ::poll(inputs.data(), inputs.size(), -1) < 0 && errno != EINTR)
      return EXIT_FAILURE;
    if (requests.pending() || inputs[0].revents != 0) {
      const std::optional<std::string_view> line = requests.Next();
      if (!line) return EXIT_SUCCESS;
      if (!line->starts_with(kWatch) || !take(*line)) return Fail(kUsage);
      continue;
    }
    if (inputs[1].revents == 0) continue;
    ::poll(nullptr, 0, kTogetherMs);
    const desk::files::Watcher::Ids ids = watcher.Changed();
    if (!ids.empty() && !Answer(Changed(ids) + "\n")) return EXIT_FAILURE;
  }
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
  Requests requests;
  while (const std::optional<std::string_view> request = requests.Next()) {
    if (request->starts_with(kWatch)) return Watch(*request, requests);
    const std::optional<std::string> answer = AnswerTo(proc.get(), *request);
    if (!answer)
      return Fail(
          "a request is a line \"PID START\", with \"about\", \"arguments\", \"digest\" or \"file\" and a "
          "path behind it or nothing, or \"files\" with a depth, a uid and a pattern, or \"privileged\" and "
          "a mount point, or \"packages\", or \"verify\" with an id and a seal, or \"logins\" and a path");
    if (!Answer(*answer + "\n")) return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
