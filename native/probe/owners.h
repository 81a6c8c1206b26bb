// The holders of the sockets in the listener and connection rows, cached between sweeps: a known holder is
// verified by one readlinkat(2); descriptor tables are walked for sockets without a known holder, and
// periodically (WalkShare::refresh) for further holders.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/columns.h"
#include "core/result.h"
#include "core/root.h"
#include "probe/held_sockets.h"
#include "probe/proc_pids.h"

namespace desk {

// The filled rows of the columns.
struct OwnerRows {
  Capacity capacity;
  std::uint32_t count = 0;
  std::uint32_t listeners = 0;
  std::uint32_t connections = 0;
  // False: `connections` is 0 because they were not listed, and what is known of them stays.
  bool connections_listed = true;
};

struct CollectOptions {
  // Any monotonic clock: decides when a socket without a holder is searched for again.
  double now_ms = 0;
  // Pids started or changed since the last call, if known.
  std::span<const std::int32_t> dirty{};
  // The only processes searched for holders of connections; nothing = all.
  std::optional<std::span<const std::int32_t>> desk{};
};

struct CollectResult {
  // Holder rows written, from row 0 on, by inode, pid and descriptor.
  std::uint32_t holders = 0;
  // There are more holders than the table has rows.
  bool overflow = false;
  // Sockets (inodes) without a holder.
  std::uint32_t unknown = 0;
  // Reasons to walk now: sockets whose search is due or unfinished, and processes that may hold other ones
  // than before.
  std::uint32_t wanted = 0;
  // Processes whose tables the walk would read; 0 while nothing is wanted.
  std::uint32_t due = 0;
  // Every living process was walked, with its threads, since each unknown listener was first seen without a
  // holder: unless a process refused access, no process holds it.
  bool covered = true;
};

struct WalkShare {
  std::uint32_t shard = 0;
  std::uint32_t shards = 1;
  // Walk every process for every socket: a further holder of a socket (SCM_RIGHTS, unix(7)) is not visible
  // otherwise.
  bool refresh = false;
  // The only processes to walk, likely holders; nothing = all that are due. For a socket found among them,
  // the others are due shortly after.
  std::optional<std::span<const std::int32_t>> only{};
};

struct WalkResult {
  // Processes whose tables were read, and descriptors found.
  std::uint32_t walked = 0;
  std::uint32_t found = 0;
};

// A source that reports the sockets of processes, one call per descriptor.
using FileVisit = std::function<void(std::int32_t pid, std::int32_t fd, std::uint32_t inode)>;
using FileSource = std::function<Result<bool>(const FileVisit&)>;

// The cache of one root, kept as its memory. Collect, then walk while something is wanted (at most twice:
// tables of threads are walked only after those of processes), then collect again.
class Owners {
 public:
  explicit Owners(Root& root) : root_(root), our_pids_(HasOurPids(root.fd())) {}

  // Verifies the known holders, writes the holder rows and the descriptor facts of the process rows, and
  // plans the walk: new processes are part of it, and dirty ones whose parent holds a socket.
  CollectResult Collect(const Columns& columns, const OwnerRows& rows, const CollectOptions& options);

  // Whether every known holder still holds its socket, and no search for others is due. With kAll the next
  // Collect, of the same rows, would find what the last one found. Most connections have no holder among the
  // processes that are searched, so that their searches are always due soon.
  enum class Searches : std::uint8_t { kOfListeners, kAll };
  bool Hold(double now_ms, Searches searches);

  // Walks the process rows of one shard. Shards may run concurrently.
  WalkResult Walk(const Columns& columns, const OwnerRows& rows, const WalkShare& share);

  // The same for all rows, with a source that reports every process but the `unreported` ones (ascending),
  // whose tables are read. A refusal of the source changes nothing.
  Result<WalkResult> WalkFiles(const Columns& columns, const OwnerRows& rows, const FileSource& source,
                               std::span<const std::int32_t> unreported = {});

 private:
  struct Holder {
    std::int32_t pid;
    std::uint64_t start;
    std::int32_t fd;
    std::int32_t tid;
  };
  struct Socket {
    std::vector<Holder> holders;
    // Pass that has to search for it, 0 = none yet; processes walked in this pass or later have been
    // searched.
    std::uint32_t searched = 0;
    double searched_ms = 0;
    // Found among likely holders: the search of the others is delayed.
    bool in_part = false;
  };
  using Sockets = std::unordered_map<std::uint32_t, Socket>;
  // The state of a process: one per row, by ascending pid.
  struct Process {
    std::int32_t pid = 0;
    std::uint64_t start = 0;
    // Last passes in which its table, and those of its threads, were walked; 0 = never.
    std::uint32_t walked = 0;
    std::uint32_t walked_threads = 0;
    // Its table is to be read: a known descriptor is no longer the socket, or it may have inherited one.
    bool moved = false;
    std::uint16_t seen = 0;
    std::uint16_t refused = 0;
  };
  // Processes walked in an earlier pass are walked again.
  struct Due {
    std::uint32_t tables = 0;
    std::uint32_t threads = 0;
  };
  struct Plan {
    // Number of the current pass.
    std::uint32_t pass = 0;
    Due all;
    Due desk;
    // Of the judged processes: whether some table is to be read (Process::moved), and how often a socket
    // without a holder is searched for.
    bool moved = false;
    double search_every_ms = 0;
    // Ascending; nothing = every process is the desk's.
    std::optional<std::vector<std::int32_t>> desk_pids;

    bool IsDesk(std::int32_t pid) const;
  };
  // A process to walk, and the result.
  struct Job {
    std::uint32_t row;
    std::int32_t pid;
    std::uint64_t start;
    bool desk;
    bool tables = false;
    bool threads = false;
    TableSearch search{};
    std::vector<HeldSocket> held{};
  };
  // Inodes to search for, ascending.
  struct Asked {
    std::vector<std::uint32_t> listeners;
    std::vector<std::uint32_t> all;
  };
  class Collecting;

  Process* Find(std::int32_t pid, std::uint64_t start);
  static Asked AskedOf(const Columns& columns, const OwnerRows& rows);
  std::vector<Job> JobsOf(const ProcessView& rows, std::uint32_t count, const WalkShare& share);
  void Search(const ProcessView& rows, const Asked& asked, Job& job) const;
  WalkResult Merge(const ProcessView& rows, const Asked& asked, std::uint32_t pass, std::span<const Job> jobs,
                   bool in_part = false);
  void Replace(const Asked& asked, std::span<const Job> jobs, bool in_part);

  Root& root_;
  const bool our_pids_;
  std::mutex mutex_;
  Sockets listeners_;
  Sockets connections_;
  std::vector<Process> processes_;
  Plan plan_;
};

}  // namespace desk
