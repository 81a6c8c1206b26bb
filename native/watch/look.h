// Looks at every process and listener, to tell whether they still are as a consumer has read them.
// Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "bpf/task_sweep.h"
#include "core/columns.h"
#include "core/root.h"
#include "table/process_table.h"
#include "watch/listener_sum.h"

namespace desk {

class Look {
 public:
  enum class Found : std::uint8_t {
    kSame,
    kDiffers,
    kOvertaken,  // the consumer has begun to read, or has read, meanwhile
  };

  Look();

  struct Counts {
    // Looks that found everything as it was read, and the time that all looks took.
    std::uint64_t held = 0;
    std::int64_t spent_ns = 0;
    // When the last of them began (CLOCK_MONOTONIC); 0 = none since the consumer read.
    std::int64_t last_ns = 0;
  };

  // The consumer has read the processes and listeners that the table has, from this root. Until the next
  // Disarm nothing of these changes in the table but what it derives (kNotCompared).
  void Keep(std::shared_ptr<Root> root, std::shared_ptr<const ProcessTable> table);
  // In addition, the processes are as in the kernel's records of the root (bpf::SameTasks), and the holders
  // of all listeners are known (Owners).
  void Arm();
  // The consumer is reading, or what it has read is incomplete.
  void Disarm();

  // Of these processes, ascending, those that are not as they were read, zombies and holders of sockets,
  // which show more than their rows, and all while nothing is kept.
  std::vector<std::int32_t> Changed(std::span<const std::int32_t> pids);
  // Whether listeners and their holders are as they were read. False while nothing is kept.
  bool ListenersHold();

  // Whether it need not read again; kDiffers while disarmed.
  Found Compare(bpf::Scheduling scheduling);

  Counts counts() const;

 private:
  struct Kept {
    std::shared_ptr<Root> root;
    std::shared_ptr<const ProcessTable> table;
  };
  struct Armed {
    std::shared_ptr<Root> root;
    std::uint64_t listeners = 0;
    // Processes that the records lack, and what their files say.
    std::map<std::int32_t, std::string> unreported;
  };
  std::shared_ptr<const Kept> kept() const;
  bool Same(const Armed& armed, bpf::Scheduling scheduling);
  bool SameFiles(const Armed& armed);

  ListenerSum listeners_{true, true};
  // For one row.
  const std::unique_ptr<std::uint64_t[]> memory_;
  const Columns row_;
  // One look at a time.
  std::mutex looking_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Kept> kept_;
  std::shared_ptr<const Armed> armed_;
  Counts counts_;
};

}  // namespace desk
