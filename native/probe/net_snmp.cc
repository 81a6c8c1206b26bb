#include "probe/net_snmp.h"

#include <optional>

#include "core/read.h"
#include "core/text.h"

namespace desk {

Result<TcpOpens> ParseSnmp(std::string_view text) {
  constexpr std::string_view kTcp = "Tcp:";
  std::string_view names;
  while (!text.empty()) {
    std::string_view line = TakeUntil(text, '\n');
    if (!line.starts_with(kTcp)) continue;
    line.remove_prefix(kTcp.size());
    line = TrimBlanks(line);
    if (names.empty()) {
      names = line;
      continue;
    }
    std::optional<std::uint64_t> active;
    std::optional<std::uint64_t> passive;
    while (!names.empty() && !line.empty()) {
      const std::string_view name = TakeUntil(names, ' ');
      const std::string_view value = TakeUntil(line, ' ');
      if (name == "ActiveOpens") active = ParseNumber<std::uint64_t>(value);
      if (name == "PassiveOpens") passive = ParseNumber<std::uint64_t>(value);
    }
    if (active && passive) return TcpOpens{.active = *active, .passive = *passive};
    return Errno{EBADMSG};
  }
  return Errno{EBADMSG};
}

Result<TcpOpens> ReadTcpOpens(int root) { return ReadFile(root, "net/snmp").AndThen(ParseSnmp); }

}  // namespace desk
