// The next generation of a process table out of the last one, when it is known which processes changed: their
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
  // Pids born or changed since, and exited ones as their negative; in any order.
  std::span<const std::int32_t> dirty;
  // List the root too: processes of which no event told are read as well.
  bool listed = false;
};

struct CarryResult {
  // Rows of the next generation; all of them present (state not 0).
  std::uint32_t count = 0;
  // Rows that were read.
  std::uint32_t filled = 0;
  // Rows or text arena ran out, the root could not be listed, or a text of the last generation lies outside
  // its arena: only a full sweep makes this generation.
  bool overflow = false;
};

// Reads, besides the dirty ones, what changes without an event: zombies (reaping), rows that could not be
// read, and the children of processes that ended (reparenting). Texts are packed anew from the start of the
// arena. On a machine that stands still the result is that of listing and sweeping.
CarryResult CarryRows(Root& root, const Columns& from, const Columns& to, const CarryRequest& request);

}  // namespace desk
