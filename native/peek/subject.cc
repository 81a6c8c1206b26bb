#include "peek/subject.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "core/directory.h"
#include "core/read.h"
#include "core/text.h"

namespace desk {
namespace {

constexpr std::uint32_t kPfExiting = 0x4;  // PF_EXITING, linux/sched.h: its memory may be gone already

bool IsEnding(const Stat& stat) { return stat.zombie() || (stat.flags & kPfExiting) != 0; }

// The fields of proc_pid_stat(5), counted from 1 as there. What the reader may not see is 0, the start of the
// code 1.
constexpr int kCodeStart = 26;
constexpr int kEnvironmentEnd = 51;
constexpr std::uint64_t kHiddenCodeStart = 1;

std::optional<std::uint64_t> FieldOf(std::string_view stat, int wanted) {
  std::string_view rest = stat.substr(std::min(stat.rfind(')'), stat.size()));
  std::string_view value;
  for (int field = 2; field <= wanted; ++field) value = TakeUntil(rest, ' ');
  return ParseNumber<std::uint64_t>(value);
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

constexpr std::uint64_t kMostVector = 4096;

// For a program with words of type `Word`; nothing when the vector is not of that type.
template <class Word>
std::optional<bool> SecureIn(std::string_view vector) {
  std::optional<Word> secure;
  bool has_page_size = false;
  while (vector.size() >= 2 * sizeof(Word)) {
    std::array<Word, 2> entry{};
    std::memcpy(entry.data(), vector.data(), sizeof entry);
    vector.remove_prefix(sizeof entry);
    if (entry[0] == AT_NULL) break;
    if (entry[0] == AT_SECURE) secure = entry[1];
    if (entry[0] == AT_PAGESZ) has_page_size = std::has_single_bit(entry[1]) && entry[1] >= 4096;
  }
  if (!has_page_size || !secure) return std::nullopt;
  return *secure == 1;
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
  subject.code_start = FieldOf(*text, kCodeStart).value_or(0);
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

std::string ReadVector(const Subject& subject) {
  std::string vector;
  const int error = ReadPieces(subject, "auxv", kMostVector, [&vector](std::string_view piece) {
    vector.append(piece);
    return true;
  });
  return error == 0 ? vector : std::string();
}

std::optional<bool> HasStarted(const Subject& subject) {
  const Result<std::string_view> text = ReadRecord(subject.folder.get(), subject.File("stat").c_str());
  if (!text || FieldOf(*text, kCodeStart) == kHiddenCodeStart) return std::nullopt;
  const std::optional<std::uint64_t> end = FieldOf(*text, kEnvironmentEnd);
  if (!end) return std::nullopt;
  return *end != 0;
}

bool IsSecure(std::string_view vector) {
  return SecureIn<std::uint64_t>(vector).value_or(SecureIn<std::uint32_t>(vector).value_or(false));
}

}  // namespace desk
