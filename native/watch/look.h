// Looks at every process and listener, to tell whether they still are as a consumer has read them.
// Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "bpf/task_sweep.h"
#include "core/columns.h"
#include "core/root.h"
#include "table/process_table.h"
#include "watch/listener_sum.h"

namespace desk {

class Look {
 public:
  Look();

  struct Counts {
    // Looks that found everything as it was read, and the time that all looks took.
    std::uint64_t held = 0;
    std::int64_t spent_ns = 0;
    // The last of them (CLOCK_MONOTONIC); 0 = none since the consumer read.
    std::int64_t last_ns = 0;
  };

  // The consumer has read what the table has: processes as in the kernel's records of this root
  // (bpf::SameTasks), listeners, and their holders (Owners).
  void Arm(std::shared_ptr<Root> root, const ProcessTable& table);
  // It reads now, or what it has read is not complete.
  void Disarm();

  // Whether it need not read again. False while disarmed.
  bool Holds(bpf::Scheduling scheduling);

  Counts counts() const;

 private:
  struct Armed {
    std::shared_ptr<Root> root;
    std::uint64_t listeners = 0;
    // Processes that the records lack, and what their files say.
    std::map<std::int32_t, std::string> unreported;
  };
  bool Same(const Armed& armed, bpf::Scheduling scheduling);
  bool SameFiles(const Armed& armed);

  ListenerSum listeners_{true, true};
  // For one row.
  const std::unique_ptr<std::uint64_t[]> memory_;
  const Columns row_;
  // One look at a time.
  std::mutex looking_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Armed> armed_;
  Counts counts_;
};

}  // namespace desk
