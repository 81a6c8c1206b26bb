#include "probe/foreign_listeners.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <system_error>
#include <thread>

#include "core/fd.h"
#include "core/path.h"
#include "core/read.h"
#include "probe/held_sockets.h"
#include "probe/proc_ns.h"
#include "probe/proc_pids.h"
#include "probe/proc_stat.h"
#include "start/client.h"

namespace desk {
namespace {

// ESRCH when the pid was reused or the process has changed its namespace.
Result<Fd> OpenNamespace(int root, std::int32_t pid, std::uint32_t inode) {
  ProcPath path(pid);
  Fd opened(::openat(root, path.File("ns/net"), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!opened.valid()) return Errno{errno};
  struct statfs about {};
  struct stat file {};
  if (::fstatfs(opened.get(), &about) != 0 || ::fstat(opened.get(), &file) != 0) return Errno{errno};
  if (about.f_type != NSFS_MAGIC) return Errno{EBADMSG};
  if (file.st_ino != inode) return Errno{ESRCH};
  return opened;
}

void ListListeners(SockDiag& diag, ForeignListeners& found) {
  for (const DiagQuery& query : kListenerQueries) {
    const Result<std::vector<InetSocket>> sockets = diag.Dump(query);
    if (!sockets && found.error == 0) found.error = sockets.error();
    if (!sockets) continue;
    for (const InetSocket& socket : *sockets)
      if (AcceptsAnyPeer(socket))
        found.listeners.push_back({.protocol = query.protocol, .socket = socket, .holders = {}});
  }
}

// Runs on a thread of its own; 0, or the errno of entering the namespace.
int ListInside(int root, int network, ForeignListeners& found) {
  if (::setns(network, CLONE_NEWNET) != 0) return errno;
  // Both belong to the network namespace of the calling thread.
  if (const Result<PortRange> range = ReadPortRange(root)) found.ephemeral = *range;
  SockDiag diag;
  ListListeners(diag, found);
  return 0;
}

// For a service that may not enter: through sockets that another process of the desk opens inside.
int ListFromOutside(int network, ForeignListeners& found) {
  Passed passed;
  if (const int error = OpenNetwork(network, passed); error != 0) return error;
  const Result<PortRange> range = ReadFileAgain(passed.fds[1].get()).AndThen(ParsePortRange);
  if (range) found.ephemeral = *range;
  SockDiag diag(std::move(passed.fds[0]));
  ListListeners(diag, found);
  return 0;
}

int ListInThread(int root, int network, ForeignListeners& found) {
  int error = 0;
  try {
    std::thread([&] { error = ListInside(root, network, found); }).join();
  } catch (const std::system_error&) {
    return EAGAIN;
  }
  return error == EPERM ? ListFromOutside(network, found) : error;
}

void FindHolders(int root, std::span<const std::int32_t> pids, std::vector<ForeignListener>& listeners) {
  std::vector<std::uint32_t> inodes;
  inodes.reserve(listeners.size());
  for (const ForeignListener& one : listeners) inodes.push_back(one.socket.inode);
  std::ranges::sort(inodes);
  for (const std::int32_t pid : pids.first(std::min(pids.size(), kMostSearched))) {
    const Result<Stat> stat = ReadStat(root, pid);
    if (!stat || stat->kernel_thread()) continue;
    std::vector<HeldSocket> held;
    SearchTable(root, pid, stat->threads, inodes, held);
    for (ForeignListener& one : listeners) {
      const auto same = [&one](const HeldSocket& socket) { return socket.inode == one.socket.inode; };
      if (std::ranges::any_of(held, same)) one.holders.push_back(pid);
    }
  }
}

}  // namespace

Result<NetworkNamespaces> ListNetworkNamespaces(int root) {
  const Result<std::uint32_t> own = ReadNamespace(root, "self/ns/net", "net");
  if (!own) return own.refusal();
  std::vector<std::int32_t> pids;
  if (const int error = ListAllPids(root, pids); error != 0) return Errno{error};
  NetworkNamespaces all{.own = *own, .others = {}, .unread = {}};
  std::map<std::uint32_t, std::size_t> places;
  for (const std::int32_t pid : pids) {
    ProcPath path(pid);
    const Result<std::uint32_t> inode = ReadNamespace(root, path.File("ns/net"), "net");
    // An ended process has left its namespaces.
    if (!inode && !IsGone(inode.error())) all.unread.push_back(pid);
    if (!inode || *inode == all.own) continue;
    const auto [place, fresh] = places.try_emplace(*inode, all.others.size());
    if (fresh) all.others.push_back({.inode = *inode, .pids = {}});
    all.others[place->second].pids.push_back(pid);
  }
  return all;
}

Result<ForeignListeners> ListenersOf(int root, std::span<const std::int32_t> pids, std::uint32_t inode) {
  int refusal = ESRCH;
  for (const std::int32_t pid : pids.first(std::min(pids.size(), kMostSearched))) {
    const Result<Fd> network = OpenNamespace(root, pid, inode);
    if (!network) {
      if (!IsGone(network.error())) refusal = network.error();
      continue;
    }
    ForeignListeners found{.pid = pid, .ephemeral = {}, .listeners = {}, .error = 0};
    if (const int error = ListInThread(root, network->get(), found); error != 0) return Errno{error};
    if (!found.listeners.empty()) FindHolders(root, pids, found.listeners);
    return found;
  }
  return Errno{refusal};
}

}  // namespace desk
