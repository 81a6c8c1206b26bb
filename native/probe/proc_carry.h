// Builds the next generation of a process table from the last one when the changed processes are known: their
// rows are read, all others are copied.
#pragma once

#include <cstdint>
#include <span>

#include "core/columns.h"
#include "core/root.h"

namespace desk {

struct CarryRequest {
  // Of both buffers.
  Capacity capacity;
  // Rows of the last generation, pids ascending.
  std::uint32_t count = 0;
  // Pids started or changed since, and exited ones negated; in any order.
  std::span<const std::int32_t> dirty;
  // List the root, too: unknown processes are read as well.
  bool listed = false;
};

struct CarryResult {
  // Rows of the next generation; all of them present (state not 0).
  std::uint32_t count = 0;
  // Rows that were read.
  std::uint32_t filled = 0;
  // Rows or text arena ran out, the root could not be listed, or a text of the last generation lies outside
  // its arena: a full sweep is needed.
  bool overflow = false;
};

// Reads, besides the dirty ones, what changes without an event: zombies (reaping), rows that could not be
// read, and the children of processes that ended (reparenting). Texts are packed again from the start of the
// arena. On an idle machine the result equals that of listing and sweeping.
CarryResult CarryRows(Root& root, const Columns& from, const Columns& to, const CarryRequest& request);

}  // namespace desk
