// Facts derived from a whole sweep: totals, the process tree of the desk, and the facts of each listener for
// the checks. One pass over the columns, after every shard has filled its rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/columns.h"

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

// Totals over the process table. User space is what the wrap sweep judged, so that
// user_space = wrapped + free + wrap_blind holds by construction.
struct Tally {
  std::uint32_t processes = 0;
  std::uint32_t kernel_threads = 0;
  std::uint32_t wrapped = 0;
  std::uint32_t free = 0;
  std::uint32_t wrap_blind = 0;
  // Zombie or dead.
  std::uint32_t zombies = 0;
  // User space without controlling terminal.
  std::uint32_t without_tty = 0;
  // Distinct identities.
  std::uint32_t identities = 0;
  std::uint32_t descriptors_blind = 0;
  std::uint32_t blind_processes = 0;
  // Listener rows after removing duplicates of a dump in several datagrams.
  std::uint32_t listeners = 0;
  // Per group of the request, the user-space processes that refused one of its facts.
  std::vector<std::uint32_t> hiding;
  // Per program of the request, the user-space processes that run it, ascending.
  std::vector<std::vector<std::int32_t>> programs;
  // Processes whose executable was unlinked, by the text of its link (memfds aside), ascending; the first
  // kMostDeleted.
  std::vector<std::int32_t> deleted;
  // Our own pid and its living descendants, ascending; includes `self` even when it is not in the table.
  std::vector<std::int32_t> own;
};

// Fills the derived columns and counts. Text positions are checked against `capacity`.
Tally Derive(const Columns& columns, const Capacity& capacity, const DeriveRequest& request);

// 127.0.0.0/8, ::1 and ::ffff:127.0.0.0/104. `address` has 16 bytes, of which family 4 uses the first four.
bool IsLoopback(std::uint8_t family, const std::uint8_t* address);

}  // namespace desk
