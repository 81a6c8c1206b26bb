#include "probe/owners.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "core/sorted.h"

namespace desk {
namespace {

// A socket without a holder is searched for again after this time: soon when it would be ownerless, rarely
// when some process hides its descriptors, and so may hold it permanently.
constexpr double kSearchEveryMs = 1000;
constexpr double kSearchBlindEveryMs = 60000;
// After a likely holder was found, the others are searched this much later.
constexpr double kSearchOthersAfterMs = 5;

using Inodes = std::vector<std::uint32_t>;

// Inodes of the first `count` rows, ascending, each once. Inode 0 is not a file.
Inodes InodesOf(const std::uint32_t* column, std::uint32_t count) {
  Inodes inodes(column, column + count);
  std::erase(inodes, 0u);
  SortDistinct(inodes);
  return inodes;
}

bool Judged(const ProcessView& rows, std::uint32_t row) {
  return static_cast<WrapState>(rows.wrap_state[row]) != WrapState::kNotApplicable;
}

}  // namespace

bool Owners::Plan::IsDesk(std::int32_t pid) const {
  return !desk_pids || std::ranges::binary_search(*desk_pids, pid);
}

Owners::Process* Owners::Find(std::int32_t pid, std::uint64_t start) {
  const auto found = std::ranges::lower_bound(processes_, pid, {}, &Process::pid);
  if (found == processes_.end() || found->pid != pid || found->start != start) return nullptr;
  return &*found;
}

Owners::Asked Owners::AskedOf(const Columns& columns, const OwnerRows& rows) {
  Asked asked{.listeners = InodesOf(columns.listeners.inode, rows.listeners), .all = {}};
  const Inodes connections = InodesOf(columns.connections.inode, rows.connections);
  std::ranges::set_union(asked.listeners, connections, std::back_inserter(asked.all));
  return asked;
}

// One call of Collect, under the mutex.
class Owners::Collecting {
 public:
  Collecting(Owners& owners, const Columns& columns, const OwnerRows& rows, const CollectOptions& options)
      : owners_(owners),
        rows_(columns.processes),
        holders_(columns.holders),
        counts_(rows),
        options_(options),
        listeners_(InodesOf(columns.listeners.inode, rows.listeners)),
        connections_(InodesOf(columns.connections.inode, rows.connections)) {}

  CollectResult Run() {
    NoteHolders();
    MatchProcesses();
    Forget(owners_.listeners_, listeners_);
    if (counts_.connections_listed) Forget(owners_.connections_, connections_);
    Verify(owners_.listeners_, listeners_);
    Verify(owners_.connections_, connections_);
    SuspectChildren();
    Write(owners_.listeners_, listeners_);
    Write(owners_.connections_, connections_);
    MakePlan();
    for (std::uint32_t row = 0; row < counts_.count; ++row) WriteFacts(row);
    return result_;
  }

 private:
  // The earliest pass in which any living process was walked.
  struct Floor {
    std::uint32_t tables = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t threads = std::numeric_limits<std::uint32_t>::max();
  };

  // Before the holders are verified: a child has what its parent has closed since.
  void NoteHolders() {
    for (const Sockets* const sockets : {&owners_.listeners_, &owners_.connections_})
      for (const auto& [inode, socket] : *sockets)
        for (const Holder& holder : socket.holders) parents_.push_back(holder.pid);
    SortDistinct(parents_);
  }

  // Keeps the state of the processes that still exist: afterwards state and rows have the same index.
  void MatchProcesses() {
    std::vector<Process> met;
    met.reserve(counts_.count);
    auto last = owners_.processes_.cbegin();
    for (std::uint32_t row = 0; row < counts_.count; ++row) {
      Process process{.pid = rows_.pid[row], .start = rows_.start[row]};
      while (last != owners_.processes_.cend() && last->pid < process.pid) ++last;
      const bool known = last != owners_.processes_.cend() && last->pid == process.pid &&
                         last->start == process.start && rows_.state[row] != 0;
      if (known)
        process = *last;
      else
        process.moved = !parents_.empty() && Judged(rows_, row);
      met.push_back(process);
    }
    owners_.processes_ = std::move(met);
  }

  static void Forget(Sockets& sockets, const Inodes& inodes) {
    std::erase_if(
        sockets, [&](const auto& one) { return !std::ranges::binary_search(inodes, one.first); });
  }

  void Verify(Sockets& sockets, const Inodes& inodes) {
    for (const std::uint32_t inode : inodes) {
      Socket& socket = sockets[inode];
      const bool was_held = !socket.holders.empty();
      std::erase_if(socket.holders, [&](const Holder& holder) { return !Holds(holder, inode); });
      if (was_held && socket.holders.empty()) {
        socket.searched = 0;
        socket.in_part = false;
      }
    }
  }

  bool Holds(const Holder& holder, std::uint32_t inode) {
    Process* const process = owners_.Find(holder.pid, holder.start);
    if (process == nullptr) return false;
    if (!Judged(rows_, static_cast<std::uint32_t>(process - owners_.processes_.data()))) return false;
    if (ShowsSocket(owners_.root_.fd(), holder.pid, holder.tid, holder.fd, inode)) return true;
    process->moved = true;
    return false;
  }

  // A fork copies descriptors (fork(2)). A new process may have those of an ancestor that has ended or closed
  // them since, and one that runs another program now may have moved them.
  void SuspectChildren() {
    for (const std::int32_t pid : options_.dirty) {
      const auto found = std::ranges::lower_bound(owners_.processes_, pid, {}, &Process::pid);
      if (found == owners_.processes_.end() || found->pid != pid) continue;
      const auto row = static_cast<std::uint32_t>(found - owners_.processes_.begin());
      if (Judged(rows_, row) && std::ranges::binary_search(parents_, rows_.ppid[row])) found->moved = true;
    }
  }

  void Write(Sockets& sockets, const Inodes& inodes) {
    for (const std::uint32_t inode : inodes) {
      std::vector<Holder>& holders = sockets[inode].holders;
      std::ranges::sort(holders, {}, [](const Holder& one) { return std::tuple(one.pid, one.fd, one.tid); });
      for (const Holder& holder : holders) {
        if (result_.holders == counts_.capacity.holders) {
          result_.overflow = true;
          return;
        }
        holders_.inode[result_.holders] = inode;
        holders_.pid[result_.holders] = holder.pid;
        holders_.fd[result_.holders] = holder.fd;
        ++result_.holders;
      }
    }
  }

  void MakePlan() {
    Plan& plan = owners_.plan_;
    plan.all = plan.desk = {};
    plan.search_every_ms = kSearchEveryMs;
    plan.desk_pids.reset();
    if (options_.desk)
      std::ranges::sort(plan.desk_pids.emplace(options_.desk->begin(), options_.desk->end()));
    Floor all;
    Floor desk;
    for (std::uint32_t row = 0; row < counts_.count; ++row) {
      if (!Judged(rows_, row)) continue;
      const Process& process = owners_.processes_[row];
      if (process.moved) ++result_.wanted;
      if (process.refused != 0) plan.search_every_ms = kSearchBlindEveryMs;
      Lower(all, process, row);
      if (plan.IsDesk(process.pid)) Lower(desk, process, row);
    }
    next_pass_ = plan.pass + 1;
    const std::uint32_t before = result_.wanted;
    plan.moved = before > 0;
    plan.all = Missing(owners_.listeners_, listeners_, all);
    result_.covered = Finished(plan.all) && before == 0;
    plan.desk = Missing(owners_.connections_, connections_, desk);
    if (result_.wanted > 0)
      result_.due = static_cast<std::uint32_t>(owners_.JobsOf(rows_, counts_.count, {}).size());
  }

  static bool Finished(const Due& due) { return due.tables == 0 && due.threads == 0; }

  void Lower(Floor& floor, const Process& process, std::uint32_t row) const {
    floor.tables = std::min(floor.tables, process.walked);
    if (rows_.threads[row] > 1) floor.threads = std::min(floor.threads, process.walked_threads);
  }

  // The passes needed for the sockets without a holder.
  Due Missing(Sockets& sockets, const Inodes& inodes, const Floor& floor) {
    Due due;
    for (const std::uint32_t inode : inodes) {
      Socket& socket = sockets[inode];
      const double age_ms = options_.now_ms - socket.searched_ms;
      if (!socket.holders.empty()) {
        if (!socket.in_part || age_ms < kSearchOthersAfterMs) continue;
      } else {
        ++result_.unknown;
        if (socket.searched == 0 || age_ms >= owners_.plan_.search_every_ms) {
          socket.searched = owners_.plan_.pass = next_pass_;
          socket.searched_ms = options_.now_ms;
        }
      }
      if (floor.tables < socket.searched) {
        due.tables = std::max(due.tables, socket.searched);
      } else if (floor.threads < socket.searched) {
        due.threads = std::max(due.threads, socket.searched);
      } else {
        socket.in_part = false;
        continue;
      }
      ++result_.wanted;
    }
    return due;
  }

  void WriteFacts(std::uint32_t row) {
    const Process& process = owners_.processes_[row];
    const bool judged = Judged(rows_, row);
    const auto put = [judged](std::uint16_t& facts, std::uint16_t remembered) {
      facts = static_cast<std::uint16_t>((facts & ~kFactDescriptors) | (judged ? remembered : 0));
    };
    put(rows_.seen[row], process.seen);
    put(rows_.refused[row], process.refused);
  }

  Owners& owners_;
  const ProcessView& rows_;
  const HolderView& holders_;
  const OwnerRows& counts_;
  const CollectOptions& options_;
  const Inodes listeners_;
  const Inodes connections_;
  CollectResult result_;
  // Pids of the holders that were known, ascending.
  std::vector<std::int32_t> parents_;
  std::uint32_t next_pass_ = 0;
};

bool Owners::Hold(double now_ms, Searches searches) {
  const std::lock_guard lock(mutex_);
  if (plan_.moved) return false;
  const auto due = [&](const Socket& socket) {
    return socket.searched == 0 || now_ms - socket.searched_ms >= plan_.search_every_ms;
  };
  const auto holds = [&](const Sockets& sockets, bool searched) {
    return std::ranges::all_of(sockets, [&](const auto& entry) {
      const auto& [inode, socket] = entry;
      if (socket.in_part) return false;
      if (socket.holders.empty()) return !searched || !due(socket);
      return std::ranges::all_of(socket.holders, [&, inode = inode](const Holder& holder) {
        return ShowsSocket(root_.fd(), holder.pid, holder.tid, holder.fd, inode);
      });
    });
  };
  return holds(listeners_, true) && holds(connections_, searches == Searches::kAll);
}

CollectResult Owners::Collect(const Columns& columns, const OwnerRows& rows, const CollectOptions& options) {
  const std::lock_guard lock(mutex_);
  return Collecting(*this, columns, rows, options).Run();
}

}  // namespace desk
