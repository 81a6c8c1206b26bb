// /proc/net/sockstat and sockstat6.
#include "probe/sockstat.h"

#include <string>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string text(TextOf(input));
  const std::optional<SocketsInUse> counts = ParseSockstat(text);
  if (!counts) return;
  Ensure(text.find("TCP") != std::string::npos && text.find("UDP") != std::string::npos);
  // Lines of other protocols, before or behind, change nothing.
  Ensure(ParseSockstat("sockets: used 1\n" + text + "\nRAW: inuse 7\n") == counts);
}

}  // namespace desk::fuzz
