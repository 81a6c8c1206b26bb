#include "probe/packet_table.h"

#include <array>
#include <cstddef>

#include "core/text.h"

namespace desk {
namespace {

// sk, references, type, protocol, interface, running, memory, user, inode
constexpr std::size_t kFields = 9;

}  // namespace

Result<std::vector<PacketSocket>> ParsePacketTable(std::string_view text) {
  std::vector<PacketSocket> sockets;
  if (!TakeUntil(text, '\n').starts_with("sk ")) return Errno{EBADMSG};
  while (!text.empty()) {
    std::string_view line = TakeUntil(text, '\n');
    std::array<std::string_view, kFields> fields;
    for (std::string_view& field : fields) field = TakeField(line);
    const auto type = ParseNumber<std::uint8_t>(fields[2]);
    const auto protocol = ParseNumber<std::uint16_t>(fields[3], 16);
    const auto interface = ParseNumber<std::int32_t>(fields[4]);
    const auto uid = ParseNumber<std::uint32_t>(fields[7]);
    const auto inode = ParseNumber<std::uint32_t>(fields[8]);
    if (!type || !protocol || !interface || !uid || !inode) return Errno{EBADMSG};
    sockets.push_back(
        {.inode = *inode, .uid = *uid, .protocol = *protocol, .type = *type, .interface = *interface});
  }
  return sockets;
}

}  // namespace desk
