// One shard of a sweep: fills the rows of its processes from the files under /proc/PID.
#pragma once

#include <cstdint>

#include "core/arena.h"
#include "core/columns.h"
#include "core/root.h"

namespace desk {

struct SweepRequest {
  Capacity capacity;
  // Rows of the pid column that listing filled.
  std::uint32_t count = 0;
  std::uint32_t shard = 0;
  std::uint32_t shards = 1;
};

// Fills the rows of one shard (see ShardBegin); false when its part of the text arena ran out. Shards of one
// sweep may run at the same time in different threads.
bool SweepShard(Root& root, const Columns& columns, const SweepRequest& request);

struct RereadResult {
  // Rows read again, and those of them whose process has ended (state 0 now).
  std::uint32_t read = 0;
  std::uint32_t gone = 0;
  // A row's pid was reused: the texts of the new process are missing until a sweep.
  bool incomplete = false;
};

// Reads the rows of one shard, filled before, once more in place: confinement changes without an event.
// Executable and control group stay. The stat and status files stay open from one call to the next
// (kept_files.h).
RereadResult RereadShard(Root& root, const Columns& columns, const SweepRequest& request);

}  // namespace desk
