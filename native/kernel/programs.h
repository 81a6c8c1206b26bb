// Compiled programs, as JavaScript holds them (HandlesOf<Compiled>).
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "kernel/program.h"
#include "kernel/run.h"

namespace desk::kernel {

// A program and the memory of its runs, one for each concurrent run.
class Compiled {
 public:
  // Throws std::invalid_argument when the source is not a program.
  explicit Compiled(const ProgramSource& source) : program_(source) {}

  const Program& program() const { return program_; }
  std::unique_ptr<Scratch> TakeScratch() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<Scratch>();
    std::unique_ptr<Scratch> scratch = std::move(idle_.back());
    idle_.pop_back();
    return scratch;
  }
  void GiveBack(std::unique_ptr<Scratch> scratch) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(scratch));
  }

 private:
  Program program_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> idle_;
};

}  // namespace desk::kernel
