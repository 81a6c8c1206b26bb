// Which process made a listener: recorded by a BPF program at listen(2) (UDP: bind(2)), before another
// process can hold the socket as a listener. Root, or CAP_BPF and CAP_PERFMON, in the initial namespaces
// only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/fd.h"
#include "core/result.h"

namespace desk::bpf {

// As the program writes it; unreadable fields are 0.
struct ListenerMaker {
  std::uint64_t start_ns = 0;  // start_boottime of the thread group's leader
  // The executable as the kernel knows it: inode number, and device of the superblock (20 bits minor).
  std::uint64_t executable = 0;
  std::uint32_t executable_device = 0;
  std::uint32_t pid = 0;
  std::uint32_t uid = 0;
  std::uint32_t euid = 0;
};
static_assert(sizeof(ListenerMaker) == 32);

// Keyed by the socket's inode. Listening (UDP: binding) again overwrites; closing removes, for UDP also a
// disconnect that gives up the port. When the table is full, the least recently used entry is evicted; the
// maker of that socket is unknown then.
class MakerTable {
 public:
  static constexpr std::uint32_t kEntries = 4096;

  enum class Sockets : std::uint8_t { kTcp, kUdp };

  // The table of this process for such sockets; a new one when no trace holds it. A trace that holds it has
  // the programs attached that update it, so entries survive if one trace starts before another ends. After a
  // gap, in which sockets may have changed hands unseen, the table is new. Call it on the thread that ends
  // the traces.
  static Result<std::shared_ptr<const MakerTable>> Share(Sockets sockets);

  int map() const { return map_.get(); }
  // Nothing for a socket that became a listener unseen.
  std::optional<ListenerMaker> Find(std::uint32_t inode) const;

 private:
  Fd map_;
};

struct MakerTables {
  std::shared_ptr<const MakerTable> tcp;
  std::shared_ptr<const MakerTable> udp;
};

// Of a listening socket of our own; nothing when no table has it. From any thread.
std::optional<ListenerMaker> MakerOf(std::uint32_t inode);

}  // namespace desk::bpf
