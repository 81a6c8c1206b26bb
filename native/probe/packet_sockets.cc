#include "probe/packet_sockets.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/read.h"
#include "core/text.h"
#include "probe/held_sockets.h"
#include "probe/proc_pids.h"
#include "probe/proc_stat.h"

namespace desk {
namespace {

// sk, references, type, protocol, interface, running, memory, user, inode
constexpr std::size_t kFields = 9;

// How often to search for further holders, and for holders that were not found.
constexpr std::chrono::seconds kSearchEvery(30);

std::vector<std::uint32_t> InodesOf(std::span<const PacketSocket> sockets) {
  std::vector<std::uint32_t> inodes;
  for (const PacketSocket& socket : sockets) inodes.push_back(socket.inode);
  std::ranges::sort(inodes);
  return inodes;
}

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

Result<PacketScan> PacketSockets::Read() {
  const std::lock_guard lock(mutex_);
  const Result<std::string_view> text = ReadFile(root_, "net/packet");
  if (text.error() == ENOENT) return PacketScan{};
  if (!text) return text.refusal();
  Result<std::vector<PacketSocket>> sockets = ParsePacketTable(*text);
  if (!sockets) return sockets.refusal();
  const std::vector<std::uint32_t> inodes = InodesOf(*sockets);
  Forget(inodes);
  const bool fresh = !std::ranges::includes(searched_, inodes);
  if (!inodes.empty() && (fresh || Clock::now() >= again_)) Search(inodes);
  return PacketScan{.sockets = std::move(*sockets), .holders = holders_, .complete = complete_};
}

// Drops holders that are gone or hold something else now; their sockets are searched for again.
void PacketSockets::Forget(std::span<const std::uint32_t> inodes) {
  std::erase_if(
      holders_,
      [&](const PacketHolder& one) {
        if (!std::ranges::binary_search(inodes, one.inode)) return true;
        const Result<Stat> stat = ReadStat(root_, one.pid);
        if (stat && stat->start == one.start && ShowsSocket(root_, one.pid, one.tid, one.fd, one.inode))
          return false;
        std::erase(searched_, one.inode);
        return true;
      });
}

void PacketSockets::Search(std::span<const std::uint32_t> inodes) {
  searched_.assign(inodes.begin(), inodes.end());
  again_ = Clock::now() + kSearchEvery;
  holders_.clear();
  std::vector<std::int32_t> pids;
  complete_ = ListAllPids(root_, pids) == 0;
  const bool our_pids = HasOurPids(root_);
  for (const std::int32_t pid : pids) SearchProcess(pid, our_pids, inodes);
}

void PacketSockets::SearchProcess(std::int32_t pid, bool our_pids, std::span<const std::uint32_t> inodes) {
  const Result<Stat> stat = ReadStat(root_, pid);
  if (!stat) {
    complete_ = complete_ && IsGone(stat.error());
    return;
  }
  if (stat->kernel_thread() || (stat->zombie() && stat->threads <= 1)) return;
  std::vector<HeldSocket> held;
  const TableSearch search = SearchTable(root_, pid, stat->threads, inodes, held);
  complete_ = complete_ && search.error == 0;
  if (search.seen && stat->threads > 1) SearchThreadTables(root_, pid, our_pids, inodes, held);
  for (const HeldSocket& one : held)
    holders_.push_back({.inode = one.inode, .pid = pid, .tid = one.tid, .fd = one.fd, .start = stat->start});
}

}  // namespace desk
