// The descriptor tables of one process, searched for sockets: its own, that of a thread which outlived the
// leader, and those of threads that do not share it (clone(2) without CLONE_FILES, unshare(2)).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace desk {

// A descriptor that shows a socket.
struct HeldSocket {
  std::uint32_t inode;
  std::int32_t fd;
  // Thread in whose folder the descriptor is; 0 = in the folder of the process.
  std::int32_t tid;
};

// Whether /proc/PID/fd/FD (of thread `tid`, unless 0) is the socket `inode` now.
bool ShowsSocket(int root, std::int32_t pid, std::int32_t tid, std::int32_t fd, std::uint32_t inode);

// The result of searching one process: neither seen nor refused when it has ended.
struct TableSearch {
  bool seen = false;
  // errno of the failed read; 0 when nothing was refused.
  int error = 0;
};

// Appends the descriptors of the process, of so many threads, that are among the sockets `inodes`
// (ascending). For an exited leader the table of a living thread is read.
TableSearch SearchTable(int root, std::int32_t pid, std::uint32_t threads,
                        std::span<const std::uint32_t> inodes, std::vector<HeldSocket>& held);

// The same in the tables of those threads that have one of their own. `our_pids` as HasOurPids says: then
// kcmp(2) finds them, else every thread's folder is read.
void SearchThreadTables(int root, std::int32_t pid, bool our_pids, std::span<const std::uint32_t> inodes,
                        std::vector<HeldSocket>& held);

}  // namespace desk
