// One row of the process columns: the only place that writes the facts of each kernel file.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/arena.h"
#include "core/columns.h"
#include "core/wrap.h"
#include "probe/proc_stat.h"
#include "probe/proc_status.h"
#include "probe/proc_threads.h"

namespace desk {

class ProcRow {
 public:
  ProcRow(const ProcessView& rows, std::uint32_t row) : rows_(rows), row_(row) {}

  std::uint32_t index() const { return row_; }
  std::int32_t pid() const { return rows_.pid[row_]; }
  // Whether the process exists: false after Clear.
  bool present() const { return rows_.state[row_] != 0; }
  std::uint32_t threads() const { return rows_.threads[row_]; }

  // Empties everything but the pid: the row of a vanished process, not applicable to any judgement.
  void Clear();
  // Records that facts were read (error 0) or refused. For a process that has ended (IsGone) neither.
  void Note(std::uint16_t facts, int error);

  void PutStat(const Stat& stat);
  void PutState(char state) { rows_.state[row_] = static_cast<std::uint8_t>(state); }
  void PutStatus(const Status& status);
  void PutLinks(const LinkOutcome& links, const ThreadFacts& facts);
  void PutExecutable(const Place& place);
  void PutCgroup(const Place& place);
  void PutWrap(std::uint8_t mask, WrapState state);
  void PutContainer(bool container) { rows_.container[row_] = container ? 1 : 0; }
  void PutIdentity(std::uint64_t hash) { rows_.identity[row_] = hash; }

  // The parts of an identity other than the executable.
  std::string_view comm() const;
  std::optional<std::uint32_t> uid() const;
  bool container() const { return rows_.container[row_] != 0; }

 private:
  const ProcessView& rows_;
  std::uint32_t row_;
};

// A process is as confined as its weakest thread; whether it runs in a container follows from its own
// namespaces. `facts` are those of its main living thread; judge_others() checks the other threads, and is
// called only when they can change the result.
template <class JudgeOthers>
void PutJudgement(ProcRow& row, const ThreadFacts& facts, const Reference& reference,
                  JudgeOthers&& judge_others) {
  const ThreadWrap own = JudgeThread(facts, reference);
  row.PutContainer(own.container);
  if (own.mask == 0) return row.PutWrap(0, own.unknown ? WrapState::kBlind : WrapState::kFree);
  if (row.threads() <= 1 || (own.mask & kWrapOfWholeProcess) != 0)
    return row.PutWrap(own.mask, WrapState::kWrapped);
  const ThreadsVerdict threads = judge_others();
  if (threads.error != 0 || !threads.unknown) row.Note(kFactThreads, threads.error);
  if (threads.free) return row.PutWrap(0, WrapState::kFree);
  row.PutWrap(own.mask, threads.unknown ? WrapState::kBlind : WrapState::kWrapped);
}

}  // namespace desk
