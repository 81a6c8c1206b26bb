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
  // Rows of the listener and connection tables that are filled.
  std::uint32_t listeners = 0;
  std::uint32_t connections = 0;
  std::uint32_t shard = 0;
  std::uint32_t shards = 1;
};

struct SweepResult {
  // Holder rows written: [first_holder, first_holder + holders).
  std::uint32_t first_holder = 0;
  std::uint32_t holders = 0;
  // The text arena or the holder slots of this shard ran out.
  bool overflow = false;
};

// Fills the rows of one shard (see ShardBegin). Shards of one sweep may run at the same time in different
// threads.
SweepResult SweepShard(Root& root, const Columns& columns, const SweepRequest& request);

// Fills one row, whose pid is given, without looking for holders; its texts go to `arena`.
void SweepRow(Root& root, const Columns& columns, std::uint32_t row, Arena& arena);

}  // namespace desk
