// /proc/net/packet.
#include <algorithm>
#include <cerrno>
#include <string>

#include "fuzz/support/fuzz.h"
#include "probe/packet_sockets.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string_view text = TextOf(input);
  const auto sockets = ParsePacketTable(text);
  if (!sockets) return Ensure(sockets.error() == EBADMSG);
  Ensure(text.starts_with("sk "));
  Ensure(sockets->size() <= static_cast<std::size_t>(std::ranges::count(text, '\n')));
  if (!text.ends_with('\n')) return;
  // One line more is one socket more.
  const auto more = ParsePacketTable(std::string(text) + "0 3 3 0003 2 1 0 1000 77\n");
  Ensure(more.ok() && more->size() == sockets->size() + 1);
  Ensure(more->back().inode == 77 && more->back().protocol == 3 && more->back().uid == 1000);
}

}  // namespace desk::fuzz
