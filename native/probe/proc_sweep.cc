#include "probe/proc_sweep.h"

#include <limits>

#include "core/arena.h"
#include "probe/kept_files.h"
#include "probe/proc_fill.h"

namespace desk {

bool SweepShard(Root& root, const Columns& columns, const SweepRequest& request) {
  Arena arena(columns.text, ShardBegin(request.capacity.text, request.shard, request.shards),
              ShardBegin(request.capacity.text, request.shard + 1, request.shards));
  RowFiller filler(root, columns, arena);
  const std::uint32_t end = ShardBegin(request.count, request.shard + 1, request.shards);
  for (std::uint32_t row = ShardBegin(request.count, request.shard, request.shards); row < end; ++row)
    filler.Fill(row);
  return !arena.overflow();
}

RereadResult RereadShard(Root& root, const Columns& columns, const SweepRequest& request) {
  const std::uint32_t begin = ShardBegin(request.count, request.shard, request.shards);
  const std::uint32_t end = ShardBegin(request.count, request.shard + 1, request.shards);
  RereadResult result;
  if (begin == end) return result;
  const std::int32_t* const pids = columns.processes.pid;
  // The pids between two shards' rows belong to the lower one, so that files of ended processes are closed.
  const std::int32_t first = begin == 0 ? 0 : pids[begin];
  const std::int32_t past = end == request.count ? std::numeric_limits<std::int32_t>::max() : pids[end];
  KeptFiles kept(root.Memory<KeptFileCache>(), first, past);
  Arena nothing(columns.text, 0, 0);
  RowFiller filler(root, columns, nothing);
  for (std::uint32_t row = begin; row < end; ++row) {
    if (columns.processes.state[row] == 0) continue;
    filler.Refill(row, kept, request.capacity.text);
    ++result.read;
    if (columns.processes.state[row] == 0) ++result.gone;
  }
  result.incomplete = nothing.overflow();
  return result;
}

}  // namespace desk
