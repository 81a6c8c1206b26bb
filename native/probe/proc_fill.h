// Fills one row of the process columns after another from the files under /proc/PID.
#pragma once

#include <cstdint>
#include <string>

#include "core/arena.h"
#include "core/columns.h"
#include "core/root.h"
#include "core/wrap.h"
#include "probe/cgroup_reader.h"
#include "probe/kept_files.h"
#include "probe/proc_attr.h"
#include "probe/proc_row.h"
#include "probe/proc_stat.h"
#include "probe/proc_status.h"

namespace desk {

// The state of a row whose process exists, but without a readable living thread.
inline constexpr char kUnknownState = '?';

class RowFiller {
 public:
  // Texts go to `arena`, which outlives the filler.
  RowFiller(Root& root, const Columns& columns, Arena& arena);

  // Reads the process of a row whose pid is set; its state is 0 when there is no such process (any more), or
  // when the pid is that of another process' thread. Descriptors are not read here (owners.h).
  //
  // The facts of one row are read one after another, from files found by pid. If the pid is reused meanwhile,
  // the row mixes two processes until the next sweep; that takes a wrap of the whole pid space within
  // microseconds.
  void Fill(std::uint32_t index);

  // The same for a row filled before, except that executable and control group stay (an exec has an event of
  // its own; an unreadable group is read again, and then needs the arena), and so do the facts about
  // descriptors. stat and status are read from `kept` where they are open. A new process with the row's pid
  // is read completely, and needs the arena. `text_bytes` bounds the text positions of the row: JavaScript
  // can write to the columns.
  void Refill(std::uint32_t index, KeptFiles& kept, std::uint32_t text_bytes);

 private:
  struct Texts {
    Place executable;
    Place cgroup;
    std::uint64_t start = 0;
    std::uint16_t seen = 0;
    std::uint16_t refused = 0;
  };

  void Hide(ProcRow& row, std::uint16_t facts, int error);
  void PutStat(ProcRow& row, const Stat& stat);
  void FinishByStatus(ProcRow& row);
  bool Examine(ProcRow& row, std::int32_t tid);
  Result<Stat> LeaderStat(std::int32_t pid);
  Result<Status> TakeStatus(ProcRow& row, ProcPath& path, std::int32_t tid);
  void ReadTexts(ProcRow& row, ProcPath& path);
  bool AreTextsCurrent(ProcPath& path);
  void KeepTexts(ProcRow& row);
  void JudgeProcess(ProcRow& row, std::int32_t tid, const ThreadFacts& facts);
  void PutIdentity(ProcRow& row);

  Root& root_;
  const ProcessView& rows_;
  const std::uint8_t* text_;
  const Reference reference_;
  LabelReader labels_;
  CgroupReader& cgroups_;
  Arena& arena_;
  std::string executable_;
  std::string identity_;
  Place last_cgroup_;
  // Set while a row is filled again.
  const Texts* texts_ = nullptr;
  KeptFiles* kept_ = nullptr;
  // The pid of the row is that of a thread.
  bool foreign_ = false;
};

}  // namespace desk
