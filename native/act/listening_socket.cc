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

Result<SocketHolders> FindHolders(int root, std::uint32_t inode) {
  std::vector<std::int32_t> pids;
  if (const int error = ListAllPids(root, pids); error != 0) return Errno{error};
  const bool our_pids = HasOurPids(root);
  const std::span<const std::uint32_t> wanted(&inode, 1);
  SocketHolders holders;
  std::vector<HeldSocket> held;
  for (const std::int32_t pid : pids) {
    const Result<Stat> stat = ReadStat(root, pid);
    if (IsGone(stat.error())) continue;
    if (stat && (stat->kernel_thread() || (stat->fried() && stat->threads <= 1))) continue;
    held.clear();
    const std::uint32_t threads = stat ? stat->threads : 1;
    const TableSearch search = SearchTable(root, pid, threads, wanted, held);
    if (held.empty() && threads > 1) SearchThreadTables(root, pid, our_pids, wanted, held);
    if (!held.empty()) {
      holders.pids.push_back(pid);
    } else if (search.error != 0) {
      ++holders.unread;
    }
  }
  return holders;
}

}  // namespace desk
