// /proc/PID/stat.
#include "probe/proc_stat.h"

#include <algorithm>
#include <string>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string_view text = TextOf(input);
  const Result<Stat> stat = ParseStat(text);
  if (!stat) return Ensure(stat.error() == EBADMSG);
  Ensure(stat->pid > 0);
  Ensure(stat->comm.back() == 0);
  Ensure((stat->state >= 'A' && stat->state <= 'Z') || (stat->state >= 'a' && stat->state <= 'z'));
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(')');
  const std::string_view name =
      text.substr(open + 1, std::min<std::size_t>(close - open - 1, kCommBytes - 1));
  Ensure(std::ranges::equal(name, std::span(stat->comm).first(name.size())));
  Ensure(std::ranges::all_of(std::span(stat->comm).subspan(name.size()), [](char c) { return c == 0; }));

  // Fields of newer kernels change nothing.
  const Result<Stat> longer = ParseStat(std::string(text).append(" 17 0 0 4294967295\n"));
  Ensure(longer.ok() && *longer == *stat);
  // A text cut off anywhere behind the name is refused, or gives the same result.
  const std::size_t behind = close + 1;
  const Result<Stat> cut = ParseStat(text.substr(0, behind + stat->start % (text.size() - behind)));
  Ensure(!cut || *cut == *stat);
}

}  // namespace desk::fuzz
