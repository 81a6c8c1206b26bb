#include "peek/subject.h"

#include <algorithm>

#include "core/directory.h"
#include "core/read.h"
#include "core/text.h"

namespace desk {
namespace {

constexpr std::uint32_t kPfExiting = 0x4;  // PF_EXITING, linux/sched.h: its memory may be gone already

bool IsEnding(const Stat& stat) { return stat.fried() || (stat.flags & kPfExiting) != 0; }

// Field 26 of proc_pid_stat(5); 0 when it is hidden.
std::uint64_t CodeStart(std::string_view stat) {
  std::string_view rest = stat.substr(std::min(stat.rfind(')'), stat.size()));
  constexpr int kCodeStart = 26;
  std::string_view value;
  for (int field = 2; field <= kCodeStart; ++field) value = TakeUntil(rest, ' ');
  return ParseNumber<std::uint64_t>(value).value_or(0);
}

// "task/123/" of a living thread; nothing when there is none.
std::optional<std::string> LivingThread(int folder) {
  std::optional<std::string> found;
  // A failed walk has found nothing either.
  static_cast<void>(WalkNumbers(folder, "task", [&](std::int32_t tid, int) {
    const std::string below = "task/" + std::to_string(tid) + "/";
    const Result<Stat> stat = ReadStat(folder, (below + "stat").c_str(), tid);
    if (stat && !IsEnding(*stat)) found = below;
    return !found;
  }));
  return found;
}

}  // namespace

std::optional<Subject> OpenSubject(int proc, std::int32_t pid, std::uint64_t start) {
  Subject subject;
  subject.folder = Fd(::openat(proc, std::to_string(pid).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!subject.folder.valid()) return std::nullopt;
  const Result<std::string_view> text = ReadRecord(subject.folder.get(), "stat");
  if (!text) return std::nullopt;
  const Result<Stat> stat = ParseStat(*text);
  if (!stat || stat->start != start) return std::nullopt;
  subject.start = start;
  subject.code_start = CodeStart(*text);
  subject.parent = stat->ppid;
  // The files of an exited leader are empty.
  if (IsEnding(*stat)) {
    const std::optional<std::string> thread = LivingThread(subject.folder.get());
    if (!thread) return std::nullopt;
    subject.thread = *thread;
  }
  return subject;
}

std::string ExecutableOf(const Subject& subject) {
  const Result<std::string_view> target = ReadLink(subject.folder.get(), subject.File("exe").c_str());
  return target ? std::string(*target) : std::string();
}

}  // namespace desk
