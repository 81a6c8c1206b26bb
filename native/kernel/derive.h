// Facts derived from a whole sweep: totals, the process tree of the desk, and the facts of each listener for
// the checks. `native/table` keeps the same facts from one generation to the next; tests compare both.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/columns.h"
#include "kernel/row_counts.h"

namespace desk {

// Lowest and highest ephemeral port.
struct EphemeralPorts {
  std::uint16_t low = 0;
  std::uint16_t high = 0;
};

struct DeriveRequest {
  // Rows of the process, listener and holder tables.
  std::uint32_t count = 0;
  std::uint32_t listeners = 0;
  std::uint32_t holders = 0;
  // The pid whose process tree is our own.
  std::int32_t self = 0;
  // Empty when the range could not be read: then no port is ephemeral and every UDP socket counts as a
  // service.
  std::optional<EphemeralPorts> ephemeral;
  // Every process that could hold a socket is in the table. A socket without holder is then ownerless, unless
  // some process' descriptors could not be read (the refused column).
  bool sight_complete = false;
  // Groups of Fact bits whose refusals are counted.
  std::span<const std::uint16_t> groups;
  // Executables to find processes of: paths, or base names.
  std::span<const std::string> programs;
};

inline constexpr std::size_t kMostDeleted = 256;

// What a whole sweep says, for JavaScript.
struct Tally {
  Totals totals;
  // Distinct identities.
  std::uint32_t identities = 0;
  // Listener rows after removing duplicates of a dump in several datagrams.
  std::uint32_t listeners = 0;
  std::vector<std::uint32_t> hiding;
  std::vector<std::vector<std::int32_t>> programs;
  // The first kMostDeleted.
  std::vector<std::int32_t> deleted;
  // Our own pid and its living descendants, ascending; includes `self` even when it is not in the table.
  std::vector<std::int32_t> own;
};

// The counts and these pids as a tally.
Tally TallyOf(const RowCounts& counts, std::uint32_t listeners, std::vector<std::int32_t> own);

// Fills the derived columns and counts. Text positions are checked against `capacity`.
Tally Derive(const Columns& columns, const Capacity& capacity, const DeriveRequest& request);

// Fills the traits column of a row.
void DeriveTraits(const Columns& columns, const Capacity& capacity, std::uint32_t row);

// Marks our own pid and its living descendants in the own column; their pids, ascending.
std::vector<std::int32_t> MarkOwn(const ProcessView& rows, std::uint32_t count, std::int32_t self);

// Removes listener rows with a duplicate inode (0 is not an inode); the remaining rows.
std::uint32_t DropTwice(const ListenerView& rows, std::uint32_t count);

// Facts behind the derived columns of listeners.
struct ListenerRequest {
  // Rows of the tables.
  std::uint32_t count = 0;
  std::uint32_t listeners = 0;
  std::uint32_t holders = 0;
  std::optional<EphemeralPorts> ephemeral;
  // Every process that could hold a socket is in the table, and its descriptors could be read.
  bool seen = false;
};

// Fills scope, owner, own, service and key of the listener rows, after those of the processes.
void DeriveListeners(const Columns& columns, const Capacity& capacity, const ListenerRequest& request);

// 127.0.0.0/8, ::1 and ::ffff:127.0.0.0/104. `address` has 16 bytes, of which family 4 uses the first four.
bool IsLoopback(std::uint8_t family, const std::uint8_t* address);

}  // namespace desk
