// Compiled programs, known by a small number. The registry belongs to the process: any worker may run any
// program.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "kernel/program.h"
#include "kernel/run.h"

namespace desk::kernel {

// A program and the memory of its runs, one for each that goes on at a time.
class Compiled {
 public:
  explicit Compiled(const ProgramSource& source) : program_(source) {}

  const Program& program() const { return program_; }
  std::unique_ptr<Scratch> TakeScratch();
  void GiveBack(std::unique_ptr<Scratch> scratch);

 private:
  Program program_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> idle_;
};

// The handle of a new program; throws std::invalid_argument when the source is not one.
int Compile(const ProgramSource& source);
// False when there is no such handle. A run in progress keeps its program alive until it ends.
bool Free(int handle);
// Null when there is none.
std::shared_ptr<Compiled> FindProgram(int handle);

}  // namespace desk::kernel
