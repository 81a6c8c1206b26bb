// Running a program over rows: the vectorised kernel, and the naive one it is tested against.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "core/columns.h"
#include "kernel/program.h"

namespace desk::kernel {

struct Run {
  // Rows of the program's table.
  std::uint32_t rows = 0;
  // Rows judged: [from, to), from a multiple of 64 so that two shards never share a word.
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  // As many as the program has.
  std::span<const std::uint64_t> parameters;
  // Kept bitmap i starts at i × BitmapBytes(rows); bit r of it is row r. Only the words of [from, to) are
  // written, their bits beyond `rows` 0.
  std::span<std::uint8_t> verdicts;
};

// Bytes of one kept bitmap: whole 64-bit words.
constexpr std::size_t BitmapBytes(std::uint32_t rows) { return (std::size_t{rows} + 63) / 64 * 8; }

// Memory of a run, kept for the next one.
struct Scratch {
  std::vector<std::uint64_t> registers;
};

// Both give the same results. `counts` has an element per output: its rows within [from, to).
void RunKernel(const Program& program, const Columns& columns, const Run& run, Scratch& scratch,
               std::span<std::uint64_t> counts);
void RunReference(const Program& program, const Columns& columns, const Run& run,
                  std::span<std::uint64_t> counts);

// The same over columns that lie anywhere: `starts` has the first element of each column of the program.
void RunKernel(const Program& program, std::span<const void* const> starts, const Run& run, Scratch& scratch,
               std::span<std::uint64_t> counts);

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
