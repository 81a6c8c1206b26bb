#include "probe/proc_sweep.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/arena.h"
#include "core/identity.h"
#include "core/path.h"
#include "core/siphash.h"
#include "core/wrap.h"
#include "probe/proc_attr.h"
#include "probe/proc_cgroup.h"
#include "probe/proc_exe.h"
#include "probe/proc_fd.h"
#include "probe/proc_judge.h"
#include "probe/proc_reference.h"
#include "probe/proc_row.h"
#include "probe/proc_stat.h"
#include "probe/proc_status.h"
#include "probe/proc_threads.h"

namespace desk {
namespace {

// The state of a row whose process is there, but of which no living thread could be read.
constexpr char kUnknownState = '?';
// Looks at a process whose threads end under the look, one after another, before it is called blind.
constexpr int kMostLooks = 4;

constexpr std::uint16_t kFactNamespaces = kFactNsUser | kFactNsPid | kFactNsMnt | kFactNsNet;

class Sweeper {
 public:
  Sweeper(Root& root, const Columns& columns, const SweepRequest& request)
      : root_(root),
        rows_(columns.processes),
        holders_(columns.holders),
        reference_(KeptReference(root)),
        labels_(root),
        arena_(columns.text, ShardBegin(request.capacity.text, request.shard, request.shards),
               ShardBegin(request.capacity.text, request.shard + 1, request.shards)),
        first_holder_(ShardBegin(request.capacity.holders, request.shard, request.shards)),
        next_holder_(first_holder_),
        end_holder_(ShardBegin(request.capacity.holders, request.shard + 1, request.shards)) {
    const auto add = [this](const std::uint32_t* inodes, std::uint32_t count) {
      std::copy_if(inodes, inodes + count, std::back_inserter(sockets_),
                   [](std::uint32_t inode) { return inode != 0; });
    };
    sockets_.reserve(request.listeners + request.connections);
    add(columns.listeners.inode, request.listeners);
    add(columns.connections.inode, request.connections);
    std::ranges::sort(sockets_);
  }

  // For single rows without holders, whose texts go to the arena of somebody else.
  Sweeper(Root& root, const Columns& columns, const Arena& arena)
      : root_(root),
        rows_(columns.processes),
        holders_(columns.holders),
        reference_(KeptReference(root)),
        labels_(root),
        arena_(arena),
        first_holder_(0),
        next_holder_(0),
        end_holder_(0) {}

  const Arena& arena() const { return arena_; }

  // The facts of one row are read one after another, from files found by pid. Should the pid be given to
  // another process meanwhile, the row mixes the two: until the next sweep, and only when a whole pid space
  // was used up within these microseconds.
  void Fill(std::uint32_t index) {
    ProcRow row(rows_, index);
    Result<Stat> stat = Errno{EAGAIN};
    int error = EAGAIN;
    for (int look = 0; look < kMostLooks; ++look) {
      row.Clear();
      stat = ReadStat(root_.fd(), row.pid());
      if (!stat) {
        if (!IsGone(stat.error())) Hide(row, kFactStat, stat.error());
        return;
      }
      PutStat(row, *stat);
      LivingThread subject{.tid = row.pid(), .state = stat->state};
      if (stat->fried()) {
        const Result<LivingThread> living =
            stat->threads > 1 ? FindLivingThread(root_.fd(), row.pid()) : LivingThread{};
        if (!living) {
          error = living.error();
          continue;
        }
        subject = *living;
      }
      if (subject.tid == 0 || stat->kernel_thread()) return FinishByStatus(row);
      row.PutState(subject.state);
      if (Examine(row, subject.tid)) return;
    }
    row.Clear();
    PutStat(row, *stat);
    Hide(row, kFactExe | kFactCgroup | kFactNamespaces | kFactThreads, error);
    executable_.clear();
    FinishByStatus(row);
    if (row.present()) PutIdentity(row);
  }

  SweepResult Finish() {
    return {.first_holder = first_holder_,
            .holders = next_holder_ - first_holder_,
            .overflow = overflow_ || arena_.overflow()};
  }

 private:
  // A process that is there, but cannot be looked at: blind, and it may hold any socket.
  void Hide(ProcRow& row, std::uint16_t facts, int error) {
    row.PutState(kUnknownState);
    row.PutWrap(0, WrapState::kBlind);
    row.Note(facts, error);
    if (!sockets_.empty()) row.Note(kFactDescriptors, error);
  }

  void PutStat(ProcRow& row, const Stat& stat) {
    row.Note(kFactStat, 0);
    row.PutStat(stat);
  }

  // The rest of a process of which only stat and status are wanted, or can be had.
  void FinishByStatus(ProcRow& row) {
    ProcPath path(row.pid());
    if (TakeStatus(row, path).error() == ESRCH) row.Clear();
  }

  // Everything of a living process, by its leader or by the thread `tid` that outlived the leader. False when
  // that one ended under the look.
  bool Examine(ProcRow& row, std::int32_t tid) {
    ProcPath path = tid == row.pid() ? ProcPath(tid) : ProcPath(row.pid(), tid);
    const Result<Status> status = TakeStatus(row, path);
    if (IsGone(status.error()) && !Lives(root_.fd(), path, tid)) return false;
    ThreadFacts facts;
    if (status) facts.status = FactsOf(*status);
    ReadTexts(row, path);
    const LinkOutcome links = ReadLinks(root_, path, labels_, facts);
    if (links.gone && !Lives(root_.fd(), path, tid)) return false;
    row.PutLinks(links, facts);
    JudgeProcess(row, tid, facts);
    PutIdentity(row);
    return FindHeld(row, path, tid);
  }

  Result<Status> TakeStatus(ProcRow& row, ProcPath& path) {
    const Result<Status> status = ReadStatus(root_.fd(), path.File("status"));
    row.Note(kFactStatus, status.error());
    if (status) row.PutStatus(*status);
    return status;
  }

  void ReadTexts(ProcRow& row, ProcPath& path) {
    const Result<std::string_view> executable = ReadExecutable(root_.fd(), path.File("exe"));
    row.Note(kFactExe, executable.error());
    executable_.assign(executable ? *executable : std::string_view());
    if (const auto place = arena_.Append(executable_)) row.PutExecutable(*place);
    const Result<std::string_view> cgroup = ReadCgroup(root_.fd(), path.File("cgroup"));
    row.Note(kFactCgroup, cgroup.error());
    if (!cgroup) return;
    // Neighbours in pid order mostly share their group.
    if (const auto place = arena_.AppendUnless(last_cgroup_, *cgroup)) {
      row.PutCgroup(*place);
      last_cgroup_ = *place;
    }
  }

  void JudgeProcess(ProcRow& row, std::int32_t tid, const ThreadFacts& facts) {
    PutJudgement(row, facts, reference_,
                 [&] { return JudgeThreads(root_, row.pid(), tid, reference_, labels_); });
  }

  // `executable_` is that of the row.
  void PutIdentity(ProcRow& row) {
    BuildIdentity(
        {.executable = executable_, .comm = row.comm(), .uid = row.uid(), .container = row.container()},
        identity_);
    row.PutIdentity(
        HashIdentity({reinterpret_cast<const std::uint8_t*>(identity_.data()), identity_.size()}));
  }

  // False when the process or its thread has ended: what has ended shows no descriptor, and is no proof that
  // nobody holds a socket.
  bool FindHeld(ProcRow& row, ProcPath& path, std::int32_t tid) {
    if (sockets_.empty()) return true;
    const Result<std::uint32_t> count = ReadHeldSockets(root_.fd(), path.File("fd"), sockets_, held_);
    if ((count ? *count == 0 : IsGone(count.error())) && !Lives(root_.fd(), path, tid)) return false;
    row.Note(kFactDescriptors, count.error());
    for (const Held& held : held_) {
      if (next_holder_ == end_holder_) {
        overflow_ = true;
        break;
      }
      holders_.inode[next_holder_] = held.inode;
      holders_.pid[next_holder_] = row.pid();
      holders_.fd[next_holder_] = held.fd;
      ++next_holder_;
    }
    return true;
  }

  Root& root_;
  const ProcessView& rows_;
  const HolderView& holders_;
  const Reference reference_;
  LabelReader labels_;
  Arena arena_;
  std::uint32_t first_holder_;
  std::uint32_t next_holder_;
  std::uint32_t end_holder_;
  bool overflow_ = false;
  // Inodes looked for, ascending.
  std::vector<std::uint32_t> sockets_;
  std::vector<Held> held_;
  std::string executable_;
  std::string identity_;
  Place last_cgroup_;
};

}  // namespace

SweepResult SweepShard(Root& root, const Columns& columns, const SweepRequest& request) {
  Sweeper sweeper(root, columns, request);
  const std::uint32_t end = ShardBegin(request.count, request.shard + 1, request.shards);
  for (std::uint32_t row = ShardBegin(request.count, request.shard, request.shards); row < end; ++row) {
    sweeper.Fill(row);
  }
  return sweeper.Finish();
}

void SweepRow(Root& root, const Columns& columns, std::uint32_t row, Arena& arena) {
  Sweeper sweeper(root, columns, arena);
  sweeper.Fill(row);
  arena = sweeper.arena();
}

}  // namespace desk
