#include "bpf/task_rows.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>

#include "bpf/task_facts.h"
#include "core/arena.h"
#include "core/fd.h"
#include "core/identity.h"
#include "core/path.h"
#include "core/pidfd.h"
#include "core/siphash.h"
#include "core/sorted.h"
#include "probe/proc_attr.h"
#include "probe/proc_fill.h"
#include "probe/proc_reference.h"
#include "probe/proc_row.h"

namespace desk::bpf {
namespace {

// For a process that the iterator reports and /proc does not show: its texts exist, but cannot be read.
constexpr int kHidden = ENODATA;

// pidfd_open(2) needs no permission and sends nothing.
bool ProcessLives(std::int32_t pid) { return OpenPidfd(pid).error() != ESRCH; }

// The rows of one sweep.
class Rows {
 public:
  Rows(Root& root, const Columns& columns, const Capacity& capacity, std::uint16_t provided,
       TaskMemory& memory)
      : root_(root),
        columns_(columns),
        capacity_(capacity),
        provided_(provided),
        memory_(memory),
        reference_(KeptReference(root)),
        labels_(root),
        labelled_(labels_.present()),
        arena_(columns.text, 0, capacity.text),
        now_ms_(std::chrono::duration_cast<std::chrono::milliseconds>(
                    std::chrono::steady_clock::now().time_since_epoch())
                    .count()) {}

  TaskSweepResult Fill(std::span<const TaskRecord> records) {
    memory_.table.Take(records);
    FindAbsent();
    const auto leaders = memory_.table.leaders();
    TaskSweepResult result;
    result.count = static_cast<std::uint32_t>(leaders.size() + memory_.absent.size());
    result.tasks = static_cast<std::uint32_t>(records.size());
    if (result.count > capacity_.processes) return result;
    memory_.texts.Begin();
    auto absent = memory_.absent.begin();
    std::uint32_t index = 0;
    const auto fill_absent_before = [&](std::int64_t pid) {
      for (; absent != memory_.absent.end() && *absent < pid; ++absent) FillAbsent(index++, *absent);
    };
    for (const TaskRecord* leader : leaders) {
      fill_absent_before(leader->pid);
      columns_.processes.pid[index] = leader->pid;
      ProcRow row(columns_.processes, index);
      FillRow(row, index++, *leader);
    }
    fill_absent_before(std::int64_t{1} << 32);
    memory_.texts.End();
    std::erase(memory_.absent, 0);
    result.overflow = arena_.overflow();
    return result;
  }

 private:
  // `listed` was read before the iterator ran: a process that ended in between is gone from /proc when its
  // row is filled.
  void FindAbsent() {
    const auto leaders = memory_.table.leaders();
    const auto reported = [&](std::int32_t pid) {
      return std::ranges::binary_search(leaders, pid, {},
                                        [](const TaskRecord* record) { return record->pid; });
    };
    std::vector<std::int32_t>& absent = memory_.absent;
    absent.insert(absent.end(), memory_.listed.begin(), memory_.listed.end());
    memory_.listed.clear();
    const auto headless = memory_.table.headless();
    absent.insert(absent.end(), headless.begin(), headless.end());
    std::erase_if(absent, reported);
    SortDistinct(absent);
  }

  void FillAbsent(std::uint32_t index, std::int32_t& pid) {
    columns_.processes.pid[index] = pid;
    RowFiller(root_, columns_, arena_).Fill(index);
    if (!ProcRow(columns_.processes, index).present()) pid = 0;
  }

  void FillRow(ProcRow& row, std::uint32_t index, const TaskRecord& leader) {
    const bool kernel_thread = (leader.flags & kPfKthread) != 0;
    const TaskRecord* subject = &leader;
    if ((HasEnded(leader) || Leaving(leader)) && leader.threads > 1 && !kernel_thread)
      subject = memory_.table.LowestLiving(leader.tgid);
    // Threads changed while the iterator ran: /proc has their current state.
    if (subject == nullptr) return RowFiller(root_, columns_, arena_).Fill(index);
    PutRecord(row, leader, *subject);
    if (kernel_thread) return;
    if (HasEnded(*subject) || Leaving(*subject)) {
      if (!IsZombie(columns_.processes.state[index])) row.PutState(kDeadState);
      return;
    }
    ProcessTexts& texts = memory_.texts.Of(leader.pid);
    if (!texts.Fresh(*subject, now_ms_) && !texts.Read(root_, *subject, labels_, now_ms_) &&
        !Explain(row, index, leader, *subject, texts))
      return;
    PutTexts(row, texts);
    ThreadFacts facts = FactsOf(*subject, provided_);
    facts.label = LabelOf(texts.label_error, texts.confined);
    LinkOutcome links = LinksOf(facts, provided_);
    if (labelled_ && texts.label_error == 0) links.seen |= kFactLabel;
    if (texts.label_error != 0 && !IsGone(texts.label_error)) links.refused |= kFactLabel;
    row.PutLinks(links, facts);
    PutJudgement(row, facts, reference_, [&] { return JudgeOthers(leader.tgid, subject->pid); });
    PutIdentity(row, texts);
  }

  void PutRecord(ProcRow& row, const TaskRecord& leader, const TaskRecord& subject) {
    row.Clear();
    row.Note(kFactStat, 0);
    row.PutStat(StatOf(leader));
    row.PutState(StateLetter(subject.state, subject.exit_state));
    if ((provided_ & kFactStatus) == 0) return row.Note(kFactStatus, ENODATA);
    row.Note(kFactStatus, 0);
    row.PutStatus(StatusOf(subject));
  }

  // Finds out why a file is missing. False when the row is finished.
  bool Explain(ProcRow& row, std::uint32_t index, const TaskRecord& leader, const TaskRecord& subject,
               ProcessTexts& texts) {
    if (&leader != &subject) {
      RowFiller(root_, columns_, arena_).Fill(index);
      return false;
    }
    const Result<Stat> stat = ReadStat(root_.fd(), leader.pid);
    // It is alive without an executable: permanently, or because it is exiting.
    if (stat && !stat->zombie()) {
      const bool exiting = (stat->flags & kPfExiting) != 0;
      if (exiting) row.PutState(kDeadState);
      return !exiting;
    }
    if (stat) {
      RowFiller(root_, columns_, arena_).Fill(index);
      return false;
    }
    int error = stat.error();
    if (IsGone(error)) {
      if (!ProcessLives(leader.pid)) {
        row.Clear();
        return false;
      }
      error = kHidden;
    }
    texts.executable_error = texts.cgroup_error = error;
    if (labelled_) texts.label_error = error;
    return true;
  }

  static std::optional<bool> LabelOf(int error, bool confined) {
    if (error != 0) return std::nullopt;
    return confined;
  }

  void PutTexts(ProcRow& row, const ProcessTexts& texts) {
    row.Note(kFactExe, texts.executable_error);
    row.Note(kFactCgroup, texts.cgroup_error);
    // Neighbours in pid order usually share their group, and often their executable.
    if (const auto place = arena_.AppendUnless(last_executable_, texts.executable)) {
      row.PutExecutable(*place);
      last_executable_ = *place;
    }
    if (texts.cgroup_error != 0) return;
    if (const auto place = arena_.AppendUnless(last_cgroup_, texts.cgroup)) {
      row.PutCgroup(*place);
      last_cgroup_ = *place;
    }
  }

  void PutIdentity(ProcRow& row, ProcessTexts& texts) {
    const std::string_view comm = row.comm();
    const std::optional<std::uint32_t> uid = row.uid();
    std::array<char, kCommBytes> padded{};
    std::ranges::copy(comm, padded.begin());
    if (texts.identity == 0 || texts.identity_comm != padded || texts.identity_container != row.container() ||
        texts.identity_uid != uid.value_or(0)) {
      BuildIdentity({.executable = texts.executable, .comm = comm, .uid = uid, .container = row.container()},
                    identity_);
      texts.identity = HashIdentity(identity_);
      texts.identity_comm = padded;
      texts.identity_container = row.container();
      texts.identity_uid = uid.value_or(0);
    }
    row.PutIdentity(texts.identity);
  }

  ThreadsVerdict JudgeOthers(std::int32_t pid, std::int32_t judged) {
    ThreadsVerdict verdict;
    for (const TaskRecord* thread : memory_.table.ThreadsOf(pid)) {
      // A thread that is exiting is not evidence.
      if (thread->pid == judged || HasEnded(*thread) || Leaving(*thread)) continue;
      ThreadFacts facts = FactsOf(*thread, provided_);
      facts.label = false;
      if (JudgeThread(facts, reference_).mask != 0) continue;
      if (labelled_) {
        const Result<bool> label = labels_.Confines(ProcPath(pid, thread->pid).File("attr/current"));
        if (IsGone(label.error())) continue;
        if (verdict.error == 0) verdict.error = label.error();
        facts.label = LabelOf(label.error(), label && *label);
      }
      const ThreadWrap wrap = JudgeThread(facts, reference_);
      if (wrap.mask != 0) continue;
      verdict.unknown = verdict.unknown || wrap.unknown;
      verdict.free = !wrap.unknown;
      if (verdict.free) break;
    }
    return verdict;
  }

  Root& root_;
  const Columns& columns_;
  const Capacity& capacity_;
  const std::uint16_t provided_;
  TaskMemory& memory_;
  const Reference reference_;
  LabelReader labels_;
  const bool labelled_;
  Arena arena_;
  const std::int64_t now_ms_;
  std::string identity_;
  Place last_executable_;
  Place last_cgroup_;
};

}  // namespace

TaskSweepResult FillTaskRows(Root& root, const Columns& columns, const Capacity& capacity,
                             std::span<const TaskRecord> records, std::uint16_t provided,
                             TaskMemory& memory) {
  return Rows(root, columns, capacity, provided, memory).Fill(records);
}

}  // namespace desk::bpf
