#include "act/listening_socket.h"

#include <netinet/in.h>

#include <algorithm>
#include <span>

#include "probe/held_sockets.h"
#include "probe/proc_pids.h"
#include "probe/proc_stat.h"
#include "probe/sock_diag.h"

namespace desk {

Result<std::optional<std::uint32_t>> ListenerCreator(const ListeningSocket& socket) {
  const std::uint8_t state = socket.protocol == IPPROTO_TCP ? kTcpListen : kTcpClose;
  const Result<std::vector<InetSocket>> found = SockDiag::ForDumps().Dump({.family = socket.family,
                                                                           .protocol = socket.protocol,
                                                                           .states = 1u << state,
                                                                           .destination_port = 0,
                                                                           .source_port = socket.port});
  if (!found) return found.refusal();
  const auto one = std::ranges::find(*found, socket.inode, &InetSocket::inode);
  if (one == found->end()) return std::optional<std::uint32_t>();
  return std::optional(one->uid);
}

Result<std::vector<SocketHolders>> FindHolders(int root, std::span<const std::uint32_t> inodes) {
  std::vector<std::int32_t> pids;
  if (const int error = ListAllPids(root, pids); error != 0) return Errno{error};
  const bool our_pids = HasOurPids(root);
  std::vector<SocketHolders> holders(inodes.size());
  std::vector<HeldSocket> held;
  for (const std::int32_t pid : pids) {
    const Result<Stat> stat = ReadStat(root, pid);
    if (IsGone(stat.error())) continue;
    if (stat && (stat->kernel_thread() || (stat->zombie() && stat->threads <= 1))) continue;
    held.clear();
    const std::uint32_t threads = stat ? stat->threads : 1;
    const TableSearch search = SearchTable(root, pid, threads, inodes, held);
    if (threads > 1) SearchThreadTables(root, pid, our_pids, inodes, held);
    for (const HeldSocket& one : held) {
      const auto at = static_cast<std::size_t>(std::ranges::lower_bound(inodes, one.inode) - inodes.begin());
      std::vector<std::int32_t>& found = holders[at].pids;
      if (found.empty() || found.back() != pid) found.push_back(pid);
    }
    if (search.error == 0) continue;
    for (SocketHolders& one : holders)
      if (one.pids.empty() || one.pids.back() != pid) ++one.unread;
  }
  return holders;
}

}  // namespace desk
