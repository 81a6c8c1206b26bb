// Reads changed processes again, and writes their rows into the table that lasts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "core/columns.h"
#include "core/root.h"
#include "table/process_table.h"

namespace desk {

// Rows that UpdateTable has room for at a time.
inline constexpr Capacity kScratch{.processes = 64, .text = 1 << 20};

// Processes to read: ascending pids, and those of them that the table has.
struct Wanted {
  std::span<const std::int32_t> pids;
  std::span<const std::int32_t> known;
};

// Fills rows of the scratch columns, ascending by pid, for those that exist; the number of rows. Nothing when
// they do not fit. Rows with state 0 count as absent.
using RowReader = std::function<std::optional<std::uint32_t>(const Wanted& wanted, const Columns& scratch)>;

// The reader of files under /proc.
RowReader ProcReader(Root& root);
// The reader by the kernel's task iterator, or of the files where it cannot read single processes.
RowReader TaskReader(Root& root);

// Which processes are read besides the dirty ones.
enum class Besides : std::uint8_t {
  kNone,
  // Those that /proc lists and the table does not have.
  kListed,
  // Those that a walk over the kernel's tasks shows to be other ones than in the last walk, or sweep
  // (bpf::ChangedTasks), and those whose rows have changed since.
  kWalked,
};

struct UpdateRequest {
  // Pids that started or changed, and exited ones negated, in any order.
  std::span<const std::int32_t> dirty;
  // Processes that are read at most.
  std::uint32_t most = kMaxProcesses;
  Besides besides = Besides::kNone;
};

struct UpdateResult {
  // Processes read.
  std::uint32_t read = 0;
  // False when more than `most` would have to be read, they do not fit, or neither list nor walk is possible:
  // the table has to adopt a whole generation.
  bool done = true;
  // False: there was no room.
  bool fits = true;
};

// Reads the processes requested, zombies and processes of unknown state, and the children of those that have
// ended, or whose pid a process has that the table did not have: they may have another parent now.
UpdateResult UpdateTable(ProcessTable& table, Root& root, const UpdateRequest& request,
                         const RowReader& read);

}  // namespace desk
