#include "probe/proc_status.h"

#include <optional>

#include "core/read.h"
#include "core/text.h"

namespace desk {
namespace {

enum Line : unsigned {
  kUid = 1,
  kTracer = 2,
  kNsPid = 4,
  kThreads = 8,
  kCapEff = 16,
  kCapBnd = 32,
  kNoNewPrivs = 64,
  kSeccomp = 128,
  kTgid = 256,
};
// NSpid is missing where the kernel has no pid namespaces; Tgid is optional.
constexpr unsigned kNeeded = kUid | kTracer | kThreads | kCapEff | kCapBnd | kNoNewPrivs | kSeccomp;
constexpr unsigned kAll = kNeeded | kNsPid | kTgid;

Line LineOf(std::string_view key) {
  if (key.empty()) return Line{};
  switch (key.front()) {
    case 'U': return key == "Uid" ? kUid : Line{};
    case 'T':
      return key == "TracerPid" ? kTracer : key == "Threads" ? kThreads : key == "Tgid" ? kTgid : Line{};
    case 'N': return key == "NSpid" ? kNsPid : key == "NoNewPrivs" ? kNoNewPrivs : Line{};
    case 'C': return key == "CapEff" ? kCapEff : key == "CapBnd" ? kCapBnd : Line{};
    case 'S': return key == "Seccomp" ? kSeccomp : Line{};
    default: return Line{};
  }
}

// A capability mask always has sixteen hexadecimal digits: fewer mean truncation.
bool IntoMask(std::uint64_t& target, std::string_view value) {
  return value.size() == 16 && ParseInto(target, value, 16);
}

bool IntoUids(Status& status, std::string_view value) {
  return ParseInto(status.uid, TakeUntil(value, '\t')) && ParseInto(status.euid, TakeUntil(value, '\t')) &&
         ParseInto(status.suid, TakeUntil(value, '\t'));
}

bool IntoLevels(Status& status, std::string_view value) {
  status.pid_levels = 0;
  while (!value.empty()) {
    if (!ParseNumber<std::int32_t>(TakeUntil(value, '\t'))) return false;
    ++status.pid_levels;
  }
  return status.pid_levels > 0;
}

bool ReadLine(Status& status, Line line, std::string_view value) {
  std::uint8_t flag = 0;
  switch (line) {
    case kUid: return IntoUids(status, value);
    case kTracer: return ParseInto(status.tracer, value);
    case kNsPid: return IntoLevels(status, value);
    case kThreads: return ParseInto(status.threads, value) && status.threads > 0;
    case kCapEff: return IntoMask(status.cap_eff, value);
    case kCapBnd: return IntoMask(status.cap_bnd, value);
    case kNoNewPrivs:
      if (!ParseInto(flag, value) || flag > 1) return false;
      status.no_new_privs = flag != 0;
      return true;
    case kTgid: return ParseInto(status.tgid, value);
    case kSeccomp:
      // 3: the task was killed by its filter (SECCOMP_MODE_DEAD). Unknown modes are accepted.
      return ParseInto(status.seccomp, value);
  }
  return false;
}

}  // namespace

Result<Status> ParseStatus(std::string_view text) {
  Status status;
  unsigned found = 0;
  while (!text.empty() && found != kAll) {
    std::string_view value = TakeUntil(text, '\n');
    const std::string_view key = TakeUntil(value, ':');
    const Line line = LineOf(key);
    if (line == Line{} || (found & line) != 0) continue;
    if (!ReadLine(status, line, TrimBlanks(value))) return Errno{EBADMSG};
    found |= line;
  }
  if ((found & kNeeded) != kNeeded) return Errno{EBADMSG};
  return status;
}

Result<Status> ReadStatus(int root, const char* path) { return ReadRecord(root, path).AndThen(ParseStatus); }

}  // namespace desk
