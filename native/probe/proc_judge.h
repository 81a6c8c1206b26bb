// The verdict on a process from its threads, shared by both ways of reading them.
#pragma once

#include "core/wrap.h"
#include "probe/proc_row.h"
#include "probe/proc_threads.h"

namespace desk {

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
