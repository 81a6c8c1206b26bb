// The part of derive.h that is about listeners.
#pragma once

#include "kernel/derive.h"

namespace desk {

// Removes listener rows with a duplicate inode (0 is not an inode); the remaining rows.
std::uint32_t DropTwice(const ListenerView& rows, std::uint32_t count);

// Fills scope, owner, own, service and key of the first `count` listener rows. Needs the derived columns of
// the processes. `seen`: a socket without a holder is held by nobody.
void DeriveListeners(const Columns& columns, const Capacity& capacity, const DeriveRequest& request,
                     std::uint32_t count, bool seen);

// Raw bytes of the executable in row `row`, empty when it lies outside the arena.
inline std::string_view ExecutableOf(const Columns& columns, const Capacity& capacity, std::uint32_t row) {
  const std::uint32_t offset = columns.processes.exe_offset[row];
  const std::uint32_t length = columns.processes.exe_length[row];
  if (offset > capacity.text || length > capacity.text - offset) return {};
  return {reinterpret_cast<const char*>(columns.text) + offset, length};
}

}  // namespace desk
