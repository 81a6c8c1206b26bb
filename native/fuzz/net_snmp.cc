// /proc/net/snmp.
#include "probe/net_snmp.h"

#include <string>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string text(TextOf(input));
  const Result<TcpOpens> opens = ParseSnmp(TextOf(input));
  if (!opens) return Ensure(opens.error() == EBADMSG);
  Ensure(text.find("ActiveOpens") != std::string::npos && text.find("PassiveOpens") != std::string::npos);
  // Lines of other protocols, before or behind, change nothing.
  const Result<TcpOpens> among = ParseSnmp("Ip: Forwarding\nIp: 1\n" + text + "\nUdp: InDatagrams\nUdp: 1\n");
  Ensure(among.ok() && among->active == opens->active && among->passive == opens->passive);
}

}  // namespace desk::fuzz
