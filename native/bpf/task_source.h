// The two ways to the records of tasks. Every thread may read at any time: each read uses memory of its own
// until its records are released.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "bpf/btf.h"
#include "bpf/iterator.h"
#include "bpf/task_record.h"
#include "bpf/task_walk.h"
#include "bpf/task_walk_program.h"
#include "core/result.h"

namespace desk::bpf {

// What is kept between reads: each borrower has one for itself.
template <class T>
class Pool {
 public:
  // Given back when the last copy of the pointer is gone; the pool must live longer. `make()` is a
  // unique_ptr to a new one.
  template <class Make>
  std::shared_ptr<T> Borrow(Make&& make) {
    std::unique_ptr<T> one;
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        one = std::move(free_.back());
        free_.pop_back();
      }
    }
    if (!one) one = make();
    return {one.release(), [this](T* used) {
              const std::lock_guard lock(mutex_);
              free_.emplace_back(used);
            }};
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
};

// The records of one read, in no order.
struct TaskRecords {
  std::span<const TaskRecord> records;
  // Threads that the kernel visited, also those without a record.
  std::uint32_t tasks = 0;
  // Owns the memory of the records.
  std::shared_ptr<const void> owner;
};

class TaskSource {
 public:
  virtual ~TaskSource() = default;
  TaskSource(const TaskSource&) = delete;
  TaskSource& operator=(const TaskSource&) = delete;

  // "open_coded" or "seq_file".
  virtual const char* name() const = 0;
  // FACT_* bits that the records provide with this kernel's configuration.
  std::uint16_t facts() const { return facts_; }

  // Records of all leaders, and at least of those threads that may judge differently than their leader.
  virtual Result<TaskRecords> ReadAll() = 0;
  // The same of these processes only, in one system call; a pid of no process has no record. E2BIG for more
  // than kMostRequested pids, EOPNOTSUPP where only all can be read.
  virtual Result<TaskRecords> ReadProcesses(std::span<const std::int32_t> pids) = 0;

 protected:
  explicit TaskSource(std::uint16_t facts) : facts_(facts) {}

 private:
  const std::uint16_t facts_;
};

// The iterator iter/task, whose records are read from a file.
class SeqFileTasks final : public TaskSource {
 public:
  SeqFileTasks(Iterator iterator, std::uint16_t facts) : TaskSource(facts), iterator_(std::move(iterator)) {}

  const char* name() const override { return "seq_file"; }
  Result<TaskRecords> ReadAll() override;
  Result<TaskRecords> ReadProcesses(std::span<const std::int32_t>) override { return Errno{EOPNOTSUPP}; }

 private:
  const Iterator iterator_;
  Pool<ReadBuffer> buffers_;
};

// The kernel's open-coded iterator, whose program writes the records to a mapped array.
class OpenCodedTasks final : public TaskSource {
 public:
  // Runs once. Any error means that this kernel does not have what the program needs.
  static Result<std::unique_ptr<OpenCodedTasks>> Load(const Btf& btf);

  const char* name() const override { return "open_coded"; }
  Result<TaskRecords> ReadAll() override { return Read(all_, all_walks_, {}); }
  Result<TaskRecords> ReadProcesses(std::span<const std::int32_t> pids) override;

 private:
  explicit OpenCodedTasks(WalkProgram all);
  static Result<TaskRecords> Read(const WalkProgram& program, Pool<TaskWalk>& walks,
                                  std::span<const std::int32_t> pids);

  const WalkProgram all_;
  // Without instructions where the kernel lacks a function that it calls; loaded at first use.
  WalkProgram requested_;
  // Whether the verifier has refused it.
  std::atomic<bool> requests_refused_ = false;
  Pool<TaskWalk> all_walks_;
  Pool<TaskWalk> requested_walks_;
};

}  // namespace desk::bpf
