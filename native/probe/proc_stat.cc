#include "probe/proc_stat.h"

#include <algorithm>

#include "core/path.h"
#include "core/read.h"
#include "core/text.h"

namespace desk {
namespace {

constexpr Errno kMalformed{EBADMSG};

}  // namespace

Result<Stat> ParseStat(std::string_view text) {
  // The name may contain anything, even ')' and newlines: only the last ')' ends it.
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return kMalformed;

  Stat stat;
  const auto pid = ParseNumber<std::int32_t>(TrimBlanks(text.substr(0, open)));
  if (!pid || *pid <= 0) return kMalformed;
  stat.pid = *pid;
  const std::string_view name = text.substr(open + 1, close - open - 1);
  std::copy_n(name.data(), std::min<std::size_t>(name.size(), kCommBytes - 1), stat.comm.data());

  std::string_view rest = text.substr(close + 1);
  if (rest.empty() || rest.front() != ' ') return kMalformed;
  rest.remove_prefix(1);
  constexpr int kStart = 22;
  for (int field = 3; field <= kStart; ++field) {
    // A truncated number may lack digits; on every kernel more fields follow the last one used.
    if (rest.find(' ') == std::string_view::npos) return kMalformed;
    const std::string_view value = TakeUntil(rest, ' ');
    bool good = true;
    switch (field) {
      case 3:
        good = value.size() == 1 &&
               ((value[0] >= 'A' && value[0] <= 'Z') || (value[0] >= 'a' && value[0] <= 'z'));
        if (good) stat.state = value[0];
        break;
      case 4: good = ParseInto(stat.ppid, value); break;
      case 7: good = ParseInto(stat.tty, value); break;
      case 9: good = ParseInto(stat.flags, value); break;
      case 20: good = ParseInto(stat.threads, value); break;
      case kStart: good = ParseInto(stat.start, value); break;
      default: break;
    }
    if (!good) return kMalformed;
  }
  return stat;
}

Result<Stat> ParseStatOf(std::string_view text, std::int32_t id) {
  Result<Stat> stat = ParseStat(text);
  if (stat && stat->pid != id) return kMalformed;
  return stat;
}

Result<Stat> ReadStat(int root, const char* path, std::int32_t id) {
  return ReadRecord(root, path).AndThen([id](std::string_view text) { return ParseStatOf(text, id); });
}

Result<Stat> ReadStat(int root, std::int32_t pid) { return ReadStat(root, ProcPath(pid).File("stat"), pid); }

}  // namespace desk
