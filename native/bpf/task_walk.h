// A loaded walk over tasks with the map that it writes to.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "bpf/task_record.h"
#include "bpf/task_walk_program.h"
#include "core/fd.h"
#include "core/result.h"

namespace desk::bpf {

struct Unmap {
  std::size_t bytes = 0;
  void operator()(std::byte* begin) const { ::munmap(begin, bytes); }
};

// For one thread at a time: the program writes to the one map that belongs to it.
class TaskWalk {
 public:
  // `program` must outlive this.
  explicit TaskWalk(const WalkProgram& program) : program_(program) {}

  // The records of all tasks, or of the processes with these pids, at most kMostRequested, else E2BIG. They
  // lie in the map until the next run. A map that is too small, or for long was far too large, is replaced.
  // EAGAIN when tasks multiply faster than that.
  Result<std::span<const TaskRecord>> Run(std::span<const std::int32_t> pids);
  // Tasks that the last run visited.
  std::uint32_t tasks() const { return static_cast<std::uint32_t>(header().tasks); }
  // Records that the map holds.
  std::uint32_t room() const { return room_; }

 private:
  // Makes a map for so many records, and loads the program for it.
  int Load(std::uint64_t records);
  WalkHeader& header() const { return *reinterpret_cast<WalkHeader*>(value_.get()); }

  const WalkProgram& program_;
  Fd map_;
  Fd loaded_;
  std::unique_ptr<std::byte, Unmap> value_;
  std::uint32_t room_ = 0;
  // Runs in a row that used less than a quarter of the room.
  std::uint32_t roomy_ = 0;
};

}  // namespace desk::bpf
