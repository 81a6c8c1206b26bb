// The records of one read of tasks, ordered: leaders by pid, the other threads that were written by process.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bpf/task_record.h"

namespace desk::bpf {

class TaskTable {
 public:
  // Orders the records, which must outlive the use of this.
  void Take(std::span<const TaskRecord> records);

  // Leaders of processes, ascending by pid, each pid once, without dead ones.
  std::span<const TaskRecord* const> leaders() const { return leaders_; }
  // Pids of processes with a reported thread but no leader; ascending.
  std::span<const std::int32_t> headless() const { return headless_; }
  // The threads of a process except its leader.
  std::span<const TaskRecord* const> ThreadsOf(std::int32_t pid);
  // The living thread with the lowest tid, null when there is none.
  const TaskRecord* LowestLiving(std::int32_t pid);

 private:
  void OrderLeaders();
  bool HasLeader(std::int32_t pid) const;

  std::vector<const TaskRecord*> leaders_;
  std::vector<const TaskRecord*> threads_;
  std::vector<std::int32_t> headless_;
  // Ordered at first use: most sweeps need none of them.
  bool threads_ordered_ = false;
};

}  // namespace desk::bpf
