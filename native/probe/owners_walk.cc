// The walk of class Owners: reading outside the mutex, merging what was found under it.
#include <algorithm>

#include "core/directory.h"
#include "core/path.h"
#include "probe/owners.h"
#include "probe/proc_fill.h"

namespace desk {
namespace {

constexpr std::uint16_t kDescriptors = kFactDescriptors;

bool Contains(const std::vector<std::uint32_t>& inodes, std::uint32_t inode) {
  return std::ranges::binary_search(inodes, inode);
}

// The thread in whose folder a descriptor of the process is the socket: 0 = in the folder of the process.
std::optional<std::int32_t> ThreadThatShows(int root, std::int32_t pid, std::int32_t fd,
                                            std::uint32_t inode) {
  if (ShowsSocket(root, pid, 0, fd, inode)) return 0;
  std::optional<std::int32_t> found;
  const Result<bool> walked = WalkNumbers(root, ProcPath(pid).File("task"), [&](std::int32_t tid, int) {
    if (ShowsSocket(root, pid, tid, fd, inode)) found = tid;
    return !found;
  });
  return walked ? found : std::nullopt;
}

void WriteFacts(const ProcessView& rows, std::uint32_t row, std::uint16_t seen, std::uint16_t refused) {
  rows.seen[row] = static_cast<std::uint16_t>((rows.seen[row] & ~kFactDescriptors) | seen);
  rows.refused[row] = static_cast<std::uint16_t>((rows.refused[row] & ~kFactDescriptors) | refused);
}

}  // namespace

WalkResult Owners::Walk(const Columns& columns, const OwnerRows& rows, const WalkShare& share) {
  const Asked asked = AskedOf(columns, rows);
  if (asked.all.empty()) return {};
  std::uint32_t pass = 0;
  std::vector<Job> jobs;
  {
    const std::lock_guard lock(mutex_);
    pass = plan_.pass;
    jobs = JobsOf(columns.processes, rows.count, share);
  }
  for (Job& job : jobs) Search(columns.processes, asked, job);
  return Merge(columns.processes, asked, pass, jobs, share.only.has_value());
}

Result<WalkResult> Owners::WalkFiles(const Columns& columns, const OwnerRows& rows, const FileSource& source,
                                     std::span<const std::int32_t> unreported) {
  const Asked asked = AskedOf(columns, rows);
  if (asked.all.empty()) return WalkResult{};
  std::uint32_t pass = 0;
  std::vector<Job> jobs;
  {
    const std::lock_guard lock(mutex_);
    pass = plan_.pass;
    jobs = JobsOf(columns.processes, rows.count, {.refresh = true});
  }
  for (Job& job : jobs) {
    job.tables = true;
    job.threads = true;
    if (std::ranges::binary_search(unreported, job.pid))
      Search(columns.processes, asked, job);
    else
      job.search.seen = true;
  }
  const Result<bool> reported = source([&](std::int32_t pid, std::int32_t fd, std::uint32_t inode) {
    if (!Contains(asked.all, inode)) return;
    const auto job = std::ranges::lower_bound(jobs, pid, {}, &Job::pid);
    if (job == jobs.end() || job->pid != pid || std::ranges::binary_search(unreported, pid)) return;
    if (job->desk || Contains(asked.listeners, inode)) job->held.push_back({inode, fd, 0});
  });
  if (!reported) return reported.refusal();
  // A source does not report which thread's table it was: only descriptors that are found again are kept.
  for (Job& job : jobs) {
    if (std::ranges::binary_search(unreported, job.pid)) continue;
    std::erase_if(job.held, [&](HeldSocket& held) {
      if (columns.processes.threads[job.row] <= 1) return false;
      const auto tid = ThreadThatShows(root_.fd(), job.pid, held.fd, held.inode);
      if (tid) held.tid = *tid;
      return !tid;
    });
  }
  return Merge(columns.processes, asked, pass, jobs);
}

std::vector<Owners::Job> Owners::JobsOf(const ProcessView& rows, std::uint32_t count,
                                        const WalkShare& share) {
  const auto is_due = [](const Process& process, const Due& due, bool threads) {
    return threads ? process.walked_threads < due.threads : process.walked < due.tables;
  };
  std::vector<Job> jobs;
  const std::uint32_t end = ShardBegin(count, share.shard + 1, share.shards);
  for (std::uint32_t row = ShardBegin(count, share.shard, share.shards); row < end; ++row) {
    if (static_cast<WrapState>(rows.wrap_state[row]) == WrapState::kNotApplicable) continue;
    if (share.only && std::ranges::find(*share.only, rows.pid[row]) == share.only->end()) continue;
    Job job{.row = row, .pid = rows.pid[row], .start = rows.start[row], .desk = plan_.IsDesk(rows.pid[row])};
    const Process* const known = Find(job.pid, job.start);
    const Process process = known != nullptr ? *known : Process{};
    const auto due = [&](bool threads) {
      return is_due(process, plan_.all, threads) || (job.desk && is_due(process, plan_.desk, threads));
    };
    job.tables = share.refresh || process.moved || due(false);
    job.threads = rows.threads[row] > 1 && due(true);
    if (job.tables || job.threads) jobs.push_back(std::move(job));
  }
  return jobs;
}

void Owners::Search(const ProcessView& rows, const Asked& asked, Job& job) const {
  const std::vector<std::uint32_t>& inodes = job.desk ? asked.all : asked.listeners;
  // It may be alive and hold any socket, but its identity is unknown.
  if (rows.state[job.row] == static_cast<std::uint8_t>(kUnknownState)) {
    job.search.error = EACCES;
    return;
  }
  if (job.tables) job.search = SearchTable(root_.fd(), job.pid, rows.threads[job.row], inodes, job.held);
  if (job.threads) SearchThreadTables(root_.fd(), job.pid, our_pids_, inodes, job.held);
}

WalkResult Owners::Merge(const ProcessView& rows, const Asked& asked, std::uint32_t pass,
                         std::span<const Job> jobs, bool in_part) {
  const std::lock_guard lock(mutex_);
  Replace(asked, jobs, in_part);
  WalkResult result;
  for (const Job& job : jobs) {
    ++result.walked;
    result.found += static_cast<std::uint32_t>(job.held.size());
    Process* const process = Find(job.pid, job.start);
    if (process == nullptr) continue;
    if (job.threads) process->walked_threads = pass;
    if (!job.tables) continue;
    process->walked = pass;
    process->moved = false;
    process->seen = job.search.seen ? kDescriptors : 0;
    process->refused = job.search.error != 0 ? kDescriptors : 0;
    // Its threads are not readable either (one ptrace check for both, proc(5)).
    if (job.search.error != 0) process->walked_threads = pass;
    WriteFacts(rows, job.row, process->seen, process->refused);
  }
  return result;
}

// Results replace what was known of the same processes. Descriptors of a thread's own table are not part of
// the process' table, and stay until they are no longer the socket.
void Owners::Replace(const Asked& asked, std::span<const Job> jobs, bool in_part) {
  const auto was_read = [jobs](const Holder& holder, bool connection) {
    const auto job = std::ranges::lower_bound(jobs, holder.pid, {}, &Job::pid);
    return holder.tid == 0 && job != jobs.end() && job->pid == holder.pid && job->tables &&
           job->search.error == 0 && (job->desk || !connection);
  };
  for (const std::uint32_t inode : asked.all) {
    const bool connection = !Contains(asked.listeners, inode);
    const auto socket = (connection ? connections_ : listeners_).find(inode);
    if (socket == (connection ? connections_ : listeners_).end()) continue;
    std::erase_if(socket->second.holders, [&](const Holder& holder) { return was_read(holder, connection); });
  }
  for (const Job& job : jobs) {
    for (const HeldSocket& held : job.held) {
      Sockets& sockets = Contains(asked.listeners, held.inode) ? listeners_ : connections_;
      Socket& socket = sockets[held.inode];
      std::vector<Holder>& holders = socket.holders;
      if (in_part && holders.empty()) socket.in_part = true;
      const auto is_same = [&](const Holder& one) { return one.pid == job.pid && one.fd == held.fd; };
      if (std::ranges::any_of(holders, is_same)) continue;
      holders.push_back({.pid = job.pid, .start = job.start, .fd = held.fd, .tid = held.tid});
    }
  }
}

}  // namespace desk
