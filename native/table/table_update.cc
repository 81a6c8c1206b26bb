#include "table/table_update.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <memory>
#include <vector>

#include "bpf/task_sweep.h"
#include "core/arena.h"
#include "core/own_columns.h"
#include "core/sorted.h"
#include "probe/proc_fill.h"
#include "probe/proc_pids.h"

namespace desk {
namespace {

using Pids = std::vector<std::int32_t>;

bool Contains(const Pids& pids, std::int32_t pid) { return std::ranges::binary_search(pids, pid); }

bool IsUnsettled(std::uint8_t state) { return IsZombie(state) || state == kUnknownState; }

// Nothing when the scratch columns have no room.
std::optional<std::uint32_t> Fitting(const bpf::TaskSweepResult& read) {
  if (read.overflow || read.count > kScratch.processes) return std::nullopt;
  return read.count;
}

class Updater {
 public:
  Updater(ProcessTable& table, Root& root, const UpdateRequest& request, const RowReader& read)
      : table_(table),
        root_(root),
        request_(request),
        read_(read),
        scratch_{.columns = columns_.columns(), .capacity = kScratch} {}

  UpdateResult Run() {
    for (Pids wanted = Touched(); !wanted.empty() && result_.done;) {
      result_.done = result_.done && wanted.size() <= request_.most - done_.size();
      Pids vacated;
      for (std::size_t at = 0; at < wanted.size() && result_.done; at += kScratch.processes)
        Read(std::span(wanted).subspan(at, std::min<std::size_t>(kScratch.processes, wanted.size() - at)),
             vacated);
      done_.insert(done_.end(), wanted.begin(), wanted.end());
      SortDistinct(done_);
      SortDistinct(vacated);
      wanted = vacated.empty() ? Pids() : OrphansOf(vacated);
    }
    table_.Settle();
    if (as_walked_) table_.TakeEdited();
    result_.read = static_cast<std::uint32_t>(done_.size());
    return result_;
  }

 private:
  Pids Touched() {
    Pids touched;
    Pids exited;
    for (const std::int32_t one : request_.dirty) {
      if (one == 0 || one == std::numeric_limits<std::int32_t>::min()) continue;
      const std::int32_t pid = one < 0 ? -one : one;
      if (one < 0) exited.push_back(pid);
      // One that is unknown and gone came and went in between.
      if (one > 0 || table_.Has(pid)) touched.push_back(pid);
    }
    SortDistinct(exited);
    const ProcessView& rows = table_.columns().processes;
    for (std::uint32_t row = 0; row < table_.rows().processes; ++row)
      if (IsUnsettled(rows.state[row]) || (!exited.empty() && Contains(exited, rows.ppid[row])))
        touched.push_back(rows.pid[row]);
    if (request_.besides == Besides::kListed) FindUnknown(touched);
    if (request_.besides == Besides::kWalked) Walk(touched);
    SortDistinct(touched);
    return touched;
  }

  void FindUnknown(Pids& touched) {
    Pids listed;
    result_.done = ListAllPids(root_.fd(), listed) == 0;
    const std::span known(table_.columns().processes.pid, table_.rows().processes);
    std::ranges::set_difference(listed, known, std::back_inserter(touched));
  }

  // Rows that have changed since the last walk may have become again what they were in that one. All are read
  // from the records of this one, so that they are what looks compare with.
  void Walk(Pids& touched) {
    const std::optional<Pids> edited = table_.TakeEdited();
    if (edited) touched.insert(touched.end(), edited->begin(), edited->end());
    const Result<bool> walked = edited ? bpf::ChangedTasks(root_, touched) : false;
    result_.done = as_walked_ = walked && *walked;
  }

  std::optional<std::uint32_t> RowsOf(const Wanted& wanted) {
    if (!as_walked_) return read_(wanted, scratch_.columns);
    const Result<bpf::TaskSweepResult> read =
        bpf::WalkedProcesses(root_, scratch_.columns, kScratch, wanted.pids, wanted.known);
    as_walked_ = bool(read);
    return read ? Fitting(*read) : read_(wanted, scratch_.columns);
  }

  // `vacated`: pids whose earlier process is not a parent any more: it has ended, or another process has its
  // pid.
  void Read(std::span<const std::int32_t> pids, Pids& vacated) {
    known_.clear();
    std::ranges::copy_if(pids, std::back_inserter(known_),
                         [this](std::int32_t pid) { return table_.Has(pid); });
    const std::optional<std::uint32_t> rows = RowsOf({pids, known_});
    if (!rows) return Refuse();
    const ProcessView& read = scratch_.columns.processes;
    std::uint32_t row = 0;
    for (const std::int32_t pid : pids) {
      while (row < *rows && read.pid[row] < pid) ++row;
      const bool present = row < *rows && read.pid[row] == pid && read.state[row] != 0;
      // One that is new to the table may have the pid of one that has ended, known or not: the event of its
      // birth has replaced that of the end.
      if (!present || IsZombie(read.state[row]) || !IsKnown(pid, read.start[row])) vacated.push_back(pid);
      if (!present) table_.Remove(pid);
      if (present && !table_.Put(scratch_, row)) return Refuse();
      // An event about a holder may be that it has closed the socket, which its row does not show.
      if (table_.IsHolder(pid)) table_.OwnersDue();
    }
  }

  // The table has this very process.
  bool IsKnown(std::int32_t pid, std::uint64_t start) const {
    return table_.Has(pid) && table_.columns().processes.start[table_.Find(pid)] == start;
  }

  void Refuse() { result_.done = result_.fits = false; }

  // Rows that name one of `vacated` as parent and were not read yet.
  Pids OrphansOf(const Pids& vacated) const {
    Pids orphans;
    const ProcessView& rows = table_.columns().processes;
    for (std::uint32_t row = 0; row < table_.rows().processes; ++row)
      if (Contains(vacated, rows.ppid[row]) && !Contains(done_, rows.pid[row]))
        orphans.push_back(rows.pid[row]);
    return orphans;
  }

  ProcessTable& table_;
  Root& root_;
  const UpdateRequest& request_;
  const RowReader& read_;
  const OwnColumns columns_{kScratch};
  const ProcessTable::Source scratch_;
  // Ascending.
  Pids done_;
  Pids known_;
  // Every row that was read is one of the walk's records.
  bool as_walked_ = false;
  UpdateResult result_;
};

}  // namespace

RowReader ProcReader(Root& root) {
  return [&root](const Wanted& wanted, const Columns& scratch) -> std::optional<std::uint32_t> {
    Arena arena(scratch.text, 0, kScratch.text);
    RowFiller filler(root, scratch, arena);
    std::uint32_t rows = 0;
    for (const std::int32_t pid : wanted.pids) {
      scratch.processes.pid[rows] = pid;
      filler.Fill(rows++);
    }
    if (arena.overflow()) return std::nullopt;
    return rows;
  };
}

RowReader TaskReader(Root& root) {
  return [&root, files = ProcReader(root)](const Wanted& wanted,
                                           const Columns& scratch) -> std::optional<std::uint32_t> {
    const Result<bpf::TaskSweepResult> read =
        bpf::SweepProcesses(root, scratch, kScratch, wanted.pids, wanted.known);
    return read ? Fitting(*read) : files(wanted, scratch);
  };
}

UpdateResult UpdateTable(ProcessTable& table, Root& root, const UpdateRequest& request,
                         const RowReader& read) {
  return Updater(table, root, request, read).Run();
}

}  // namespace desk
