#include "probe/proc_sweep.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/identity.h"
#include "core/path.h"
#include "core/siphash.h"
#include "core/wrap.h"
#include "probe/proc_attr.h"
#include "probe/proc_cgroup.h"
#include "probe/proc_exe.h"
#include "probe/proc_fd.h"
#include "probe/proc_reference.h"
#include "probe/proc_stat.h"
#include "probe/proc_status.h"
#include "probe/proc_threads.h"

namespace desk {
namespace {

// The state of a row whose stat file is there but refused or malformed.
constexpr std::uint8_t kUnknownState = '?';

struct Place {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
};

// This shard's part of the text arena.
class Arena {
 public:
  Arena(std::uint8_t* text, std::uint32_t begin, std::uint32_t end) : text_(text), at_(begin), end_(end) {}

  std::optional<Place> Append(std::string_view bytes) {
    if (bytes.size() > end_ - at_) {
      overflow_ = true;
      return std::nullopt;
    }
    const Place place{at_, static_cast<std::uint32_t>(bytes.size())};
    if (!bytes.empty()) std::memcpy(text_ + at_, bytes.data(), bytes.size());
    at_ += place.length;
    return place;
  }
  // The same, unless the bytes are those of `last`.
  std::optional<Place> AppendUnless(const Place& last, std::string_view bytes) {
    if (std::string_view(reinterpret_cast<const char*>(text_) + last.offset, last.length) == bytes)
      return last;
    return Append(bytes);
  }
  bool overflow() const { return overflow_; }

 private:
  std::uint8_t* text_;
  std::uint32_t at_;
  std::uint32_t end_;
  bool overflow_ = false;
};

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
        next_holder_(ShardBegin(request.capacity.holders, request.shard, request.shards)),
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

  void Fill(std::uint32_t row) {
    Clear(row);
    ++result_.rows;
    const std::int32_t pid = rows_.pid[row];
    const Result<Stat> stat = ReadStat(root_.fd(), pid);
    if (!stat) {
      if (IsGone(stat.error())) return Vanish(row);
      rows_.state[row] = kUnknownState;
      rows_.wrap_state[row] = static_cast<std::uint8_t>(WrapState::kBlind);
      Note(row, kFactStat, stat.error());
      // Whatever it is, it may hold any socket.
      if (!sockets_.empty()) {
        ++result_.descriptors_blind;
        if (IsRefused(stat.error())) Note(row, kFactDescriptors, stat.error());
      }
      return;
    }
    Note(row, kFactStat, 0);
    PutStat(row, *stat);

    ProcPath path(pid);
    const Result<Status> status = ReadStatus(root_.fd(), path.File("status"));
    if (status.error() == ESRCH) return Vanish(row);
    Note(row, kFactStatus, status.error());
    ThreadFacts facts;
    if (status) {
      PutStatus(row, *status);
      facts.status = FactsOf(*status);
    }
    if (stat->kernel_thread() || stat->fried()) return;

    ReadTexts(row, pid);
    const LinkOutcome links = ReadLinks(root_, path, labels_, facts);
    // A link of a process that has just died is missing too: then the process is what its stat says now.
    if (links.gone && !StillAlive(row, pid)) return;
    PutLinks(row, links, facts);
    JudgeProcess(row, pid, facts);
    PutIdentity(row);
    FindHeld(row, pid);
  }

  SweepResult Finish() {
    result_.overflow = result_.overflow || arena_.overflow();
    return result_;
  }

 private:
  void Clear(std::uint32_t row) {
    rows_.ppid[row] = 0;
    rows_.uid[row] = rows_.euid[row] = 0;
    rows_.tty[row] = 0;
    rows_.flags[row] = 0;
    rows_.start[row] = 0;
    rows_.state[row] = 0;
    rows_.threads[row] = 0;
    rows_.tracer[row] = 0;
    rows_.seccomp[row] = rows_.no_new_privs[row] = 0;
    rows_.cap_eff[row] = rows_.cap_bnd[row] = 0;
    rows_.ns_user[row] = rows_.ns_pid[row] = rows_.ns_mnt[row] = rows_.ns_net[row] = 0;
    std::memset(rows_.comm + std::size_t{row} * kCommBytes, 0, kCommBytes);
    rows_.exe_offset[row] = rows_.exe_length[row] = 0;
    rows_.cgroup_offset[row] = rows_.cgroup_length[row] = 0;
    rows_.identity[row] = 0;
    rows_.wrap[row] = 0;
    rows_.wrap_state[row] = static_cast<std::uint8_t>(WrapState::kNotApplicable);
    rows_.seen[row] = rows_.refused[row] = 0;
  }

  void Vanish(std::uint32_t row) {
    Clear(row);
    ++result_.gone;
  }

  void Note(std::uint32_t row, std::uint16_t fact, int error) {
    if (error == 0) rows_.seen[row] |= fact;
    if (IsRefused(error)) rows_.refused[row] |= fact;
  }

  void PutStat(std::uint32_t row, const Stat& stat) {
    rows_.ppid[row] = stat.ppid;
    rows_.tty[row] = stat.tty;
    rows_.flags[row] = stat.flags;
    rows_.start[row] = stat.start;
    rows_.state[row] = static_cast<std::uint8_t>(stat.state);
    rows_.threads[row] = stat.threads;
    std::memcpy(rows_.comm + std::size_t{row} * kCommBytes, stat.comm.data(), kCommBytes);
  }

  void PutStatus(std::uint32_t row, const Status& status) {
    rows_.uid[row] = status.uid;
    rows_.euid[row] = status.euid;
    rows_.threads[row] = std::max(rows_.threads[row], status.threads);
    rows_.tracer[row] = status.tracer;
    rows_.seccomp[row] = status.seccomp;
    rows_.no_new_privs[row] = status.no_new_privs ? 1 : 0;
    rows_.cap_eff[row] = status.cap_eff;
    rows_.cap_bnd[row] = status.cap_bnd;
  }

  void ReadTexts(std::uint32_t row, std::int32_t pid) {
    const Result<std::string_view> executable = ReadExecutable(root_.fd(), pid);
    Note(row, kFactExe, executable.error());
    executable_.assign(executable ? *executable : std::string_view());
    if (const auto place = arena_.Append(executable_)) {
      rows_.exe_offset[row] = place->offset;
      rows_.exe_length[row] = place->length;
    }
    const Result<std::string_view> cgroup = ReadCgroup(root_.fd(), pid);
    Note(row, kFactCgroup, cgroup.error());
    if (!cgroup) return;
    // Neighbours in pid order mostly share their group.
    if (const auto place = arena_.AppendUnless(last_cgroup_, *cgroup)) {
      rows_.cgroup_offset[row] = place->offset;
      rows_.cgroup_length[row] = place->length;
      last_cgroup_ = *place;
    }
  }

  bool StillAlive(std::uint32_t row, std::int32_t pid) {
    const Result<Stat> stat = ReadStat(root_.fd(), pid);
    if (!stat) {
      if (!IsGone(stat.error())) return true;
      Vanish(row);
      return false;
    }
    if (!stat->fried()) return true;
    rows_.state[row] = static_cast<std::uint8_t>(stat->state);
    return false;
  }

  void PutLinks(std::uint32_t row, const LinkOutcome& links, const ThreadFacts& facts) {
    rows_.seen[row] |= links.seen;
    rows_.refused[row] |= links.refused;
    rows_.ns_user[row] = facts.ns_user.value_or(0);
    rows_.ns_pid[row] = facts.ns_pid.value_or(0);
    rows_.ns_mnt[row] = facts.ns_mnt.value_or(0);
    rows_.ns_net[row] = facts.ns_net.value_or(0);
  }

  // The process is as its weakest thread.
  void JudgeProcess(std::uint32_t row, std::int32_t pid, const ThreadFacts& facts) {
    const ThreadWrap leader = JudgeThread(facts, reference_);
    rows_.wrap[row] = leader.mask;
    auto state = WrapState::kWrapped;
    if (leader.mask == 0) {
      state = leader.unknown ? WrapState::kBlind : WrapState::kFree;
    } else if (rows_.threads[row] > 1 && (leader.mask & kWrapOfWholeProcess) == 0) {
      const ThreadsVerdict threads = JudgeThreads(root_, pid, reference_, labels_);
      Note(row, kFactThreads, threads.refused ? EACCES : threads.unknown ? EBADMSG : 0);
      if (threads.free) {
        rows_.wrap[row] = 0;
        state = WrapState::kFree;
      } else if (threads.unknown) {
        state = WrapState::kBlind;
      }
    }
    rows_.wrap_state[row] = static_cast<std::uint8_t>(state);
  }

  void PutIdentity(std::uint32_t row) {
    BuildIdentity({.executable = executable_,
                   .comm = CommOf(rows_, row),
                   .uid = (rows_.seen[row] & kFactStatus) != 0 ? std::optional(rows_.uid[row]) : std::nullopt,
                   .container = InContainer(rows_.wrap[row])},
                  identity_);
    rows_.identity[row] =
        HashIdentity({reinterpret_cast<const std::uint8_t*>(identity_.data()), identity_.size()});
  }

  void FindHeld(std::uint32_t row, std::int32_t pid) {
    if (sockets_.empty()) return;
    const Result<bool> read = ReadHeldSockets(root_.fd(), pid, sockets_, held_);
    Note(row, kFactDescriptors, read.error());
    if (!read && !IsGone(read.error())) ++result_.descriptors_blind;
    for (const Held& held : held_) {
      if (next_holder_ == end_holder_) {
        result_.overflow = true;
        return;
      }
      holders_.inode[next_holder_] = held.inode;
      holders_.pid[next_holder_] = pid;
      holders_.fd[next_holder_] = held.fd;
      ++next_holder_;
      ++result_.holders;
    }
  }

  Root& root_;
  const ProcessView& rows_;
  const HolderView& holders_;
  const Reference reference_;
  LabelReader labels_;
  Arena arena_;
  std::uint32_t next_holder_;
  std::uint32_t end_holder_;
  // Inodes looked for, ascending.
  std::vector<std::uint32_t> sockets_;
  std::vector<Held> held_;
  std::string executable_;
  std::string identity_;
  Place last_cgroup_;
  SweepResult result_;
};

}  // namespace

std::string_view CommOf(const ProcessView& rows, std::uint32_t row) {
  const char* const comm = reinterpret_cast<const char*>(rows.comm) + std::size_t{row} * kCommBytes;
  return {comm, ::strnlen(comm, kCommBytes)};
}

bool InContainer(std::uint8_t wrap) { return (wrap & (kWrapNsMnt | kWrapNsPid)) != 0; }

SweepResult SweepShard(Root& root, const Columns& columns, const SweepRequest& request) {
  Sweeper sweeper(root, columns, request);
  const std::uint32_t end = ShardBegin(request.count, request.shard + 1, request.shards);
  for (std::uint32_t row = ShardBegin(request.count, request.shard, request.shards); row < end; ++row) {
    sweeper.Fill(row);
  }
  return sweeper.Finish();
}

}  // namespace desk
