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

// The state of a row whose process is there, but of which no living thread could be read.
inline constexpr char kUnknownState = '?';

class RowFiller {
 public:
  // Texts go to `arena`, which outlives the filler.
  RowFiller(Root& root, const Columns& columns, Arena& arena);

  // Reads the process of a row whose pid is set; its state is 0 when there is no such process (any more), or
  // when the pid is only that of another process' thread. Who holds which descriptors is not asked here
  // (owners.h).
  //
  // The facts of one row are read one after another, from files found by pid. Should the pid be given to
  // another process meanwhile, the row mixes the two: until the next sweep, and only when a whole pid space
  // was used up within these microseconds.
  void Fill(std::uint32_t index);

  // The same for a row filled before, but for executable and control group: those stay (an exec has an event
  // of its own; a group that could not be read is asked for again, and then needs the arena), with what is
  // known of the descriptors. stat and status are read from `kept` where it has them open. A process that has
  // come to the row's pid anew is read whole, and needs the arena. `text_bytes` bounds the places of the row:
  // its columns are writable from JavaScript.
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
  // The pid of the row turned out to be a thread's.
  bool foreign_ = false;
};

}  // namespace desk
