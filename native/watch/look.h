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
#include "core/own_columns.h"
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
  // Forget nothing of these changes in the table but what it derives (kNotCompared). `whole`: the processes
  // are as in the kernel's records of the root (bpf::SameTasks), and the holders of all listeners are known
  // (Owners).
  void Keep(std::shared_ptr<Root> root, std::shared_ptr<const ProcessTable> table, bool whole);
  // The consumer is reading, or what it has read is incomplete.
  void Forget();

  // Of these processes, ascending, those that are not as they were read, zombies and holders of sockets,
  // which show more than their rows, and all while nothing is kept.
  std::vector<std::int32_t> Changed(std::span<const std::int32_t> pids);
  // Whether listeners and their holders are as they were read. False while nothing is kept.
  bool ListenersHold();

  // Whether it need not read again; kDiffers where the whole is not kept.
  Found Compare(bpf::Scheduling scheduling);

  Counts counts() const;

 private:
  struct Kept {
    std::shared_ptr<Root> root;
    std::shared_ptr<const ProcessTable> table;
    bool whole = false;
    // Where it is the whole: the sum of the listeners, and the processes that the records lack with what
    // their files say.
    std::uint64_t listeners = 0;
    std::map<std::int32_t, std::string> unreported{};
  };
  std::shared_ptr<const Kept> kept() const;
  bool Same(const Kept& kept, bpf::Scheduling scheduling);
  bool SameFiles(const Kept& kept);

  ListenerSum listeners_{true, true};
  const OwnColumns row_;
  // One look at a time.
  std::mutex looking_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Kept> kept_;
  Counts counts_;
};

}  // namespace desk
