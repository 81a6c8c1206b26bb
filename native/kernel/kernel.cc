// The vectorised kernel: block after block of rows, so that the registers of all checks stay in the
// first-level cache and every column is fetched once.
#include <algorithm>
#include <bit>
#include <cstring>

#include "kernel/compare.h"
#include "kernel/run.h"

namespace desk::kernel {
namespace {

constexpr std::size_t kBlockRows = 4096;
constexpr std::size_t kBlockWords = kBlockRows / kWordRows;

// Columns of this many rows do not stay in the second-level cache between runs: their blocks are prefetched.
constexpr std::uint32_t kDistantRows = 65'536;

std::size_t WidthOf(Element element) {
  switch (element) {
    case Element::kU8: return 1;
    case Element::kU16: return 2;
    case Element::kU64: return 8;
    default: return 4;
  }
}

// One block's part of a column.
struct Piece {
  Element element;
  const void* start;
  std::uint32_t from;
  std::size_t rows;

  // Calls visit(elements) with a pointer of the column's own type.
  template <class Visit>
  void With(Visit&& visit) const {
    switch (element) {
      case Element::kU8: return visit(static_cast<const std::uint8_t*>(start) + from);
      case Element::kU16: return visit(static_cast<const std::uint16_t*>(start) + from);
      case Element::kU32: return visit(static_cast<const std::uint32_t*>(start) + from);
      case Element::kU64: return visit(static_cast<const std::uint64_t*>(start) + from);
      case Element::kI32: return visit(static_cast<const std::int32_t*>(start) + from);
    }
  }
};

class Machine {
 public:
  Machine(const Program& program, std::span<const void* const> starts, const Run& run, Scratch& scratch)
      : program_(program), starts_(starts), run_(run), registers_(scratch.registers) {
    registers_.resize(std::max(registers_.size(), program.registers() * kBlockWords));
  }

  void Block(std::uint32_t from, std::uint32_t to, std::span<std::uint64_t> counts) {
    for (const Operation& operation : program_.operations()) Do(operation, from, to - from);
    for (std::uint32_t at = 0; at < counts.size(); ++at) counts[at] += Hand(at, from, to - from);
  }

 private:
  std::uint64_t* Register(std::uint32_t number) { return registers_.data() + number * kBlockWords; }

  template <class Combine>
  void Merge(const Operation& operation, Combine&& combine) {
    std::uint64_t* const into = Register(operation.into);
    const std::uint64_t* const left = Register(operation.left);
    const std::uint64_t* const right = Register(operation.right);
    for (std::size_t word = 0; word < kBlockWords; ++word) into[word] = combine(left[word], right[word]);
  }

  void Do(const Operation& operation, std::uint32_t from, std::size_t rows) {
    switch (operation.code) {
      case Code::kNone: return FillWords(Register(operation.into), rows, false);
      case Code::kAll: return FillWords(Register(operation.into), rows, true);
      case Code::kFlag: return FillWords(Register(operation.into), rows, Value(operation.low) != 0);
      case Code::kNot: return Merge(operation, [](std::uint64_t left, std::uint64_t) { return ~left; });
      case Code::kAnd:
        return Merge(operation, [](std::uint64_t left, std::uint64_t right) { return left & right; });
      case Code::kOr:
        return Merge(operation, [](std::uint64_t left, std::uint64_t right) { return left | right; });
      case Code::kAndNot:
        return Merge(operation, [](std::uint64_t left, std::uint64_t right) { return left & ~right; });
      default: return Compare(operation, from, rows);
    }
  }

  void Compare(const Operation& operation, std::uint32_t from, std::size_t rows) {
    const Element element = program_.columns()[operation.column].element;
    const bool fetch = operation.first_read && run_.to - run_.from >= kDistantRows;
    const Target into{Register(operation.into), fetch ? kBlockRows * WidthOf(element) : 0};
    const Piece piece{element, starts_[operation.column], from, rows};
    switch (operation.code) {
      case Code::kMasked:
        return piece.With([&](const auto* column) {
          using U = std::make_unsigned_t<std::remove_cvref_t<decltype(*column)>>;
          const auto* const raw = reinterpret_cast<const U*>(column);
          CompareMasked(raw, rows, Value(operation.low), Value(operation.high), into);
        });
      case Code::kRange:
        return piece.With([&](const auto* column) {
          CompareRange(column, rows, Value(operation.low), Value(operation.high), into);
        });
      case Code::kInSet:
        return piece.With(
            [&](const auto* column) { CompareSet(column, rows, program_.set(operation.collection), into); });
      default:  // kInBitmap
        return CompareBitmap(static_cast<const std::uint16_t*>(piece.start) + from, rows,
                             program_.bitmap(operation.collection), into);
    }
  }

  // Counts an output of the block, and writes its bitmap when it is kept.
  std::uint64_t Hand(std::uint32_t output, std::uint32_t from, std::size_t rows) {
    std::uint64_t* const words = Register(program_.outputs()[output]);
    const std::size_t count = (rows + kWordRows - 1) / kWordRows;
    // The register is only an output from here on.
    if (rows % kWordRows != 0) words[count - 1] &= ~std::uint64_t{0} >> (kWordRows - rows % kWordRows);
    if (output < program_.kept())
      std::memcpy(run_.verdicts.data() + output * BitmapBytes(run_.rows) + from / 8, words, count * 8);
    std::uint64_t set = 0;
    for (std::size_t word = 0; word < count; ++word) set += static_cast<unsigned>(std::popcount(words[word]));
    return set;
  }

  std::uint64_t Value(const Operand& operand) const { return program_.Value(operand, run_.parameters); }

  const Program& program_;
  std::span<const void* const> starts_;
  const Run& run_;
  std::vector<std::uint64_t>& registers_;
};

}  // namespace

void RunKernel(const Program& program, std::span<const void* const> starts, const Run& run, Scratch& scratch,
               std::span<std::uint64_t> counts) {
  std::ranges::fill(counts, 0);
  if (run.from >= run.to) return;
  Machine machine(program, starts, run, scratch);
  for (std::uint32_t at = run.from; at < run.to;) {
    const auto end =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(run.to, std::uint64_t{at} + kBlockRows));
    machine.Block(at, end, counts);
    at = end;
  }
}

void RunKernel(const Program& program, const Columns& columns, const Run& run, Scratch& scratch,
               std::span<std::uint64_t> counts) {
  RunKernel(program, ColumnStarts(program, columns), run, scratch, counts);
}

}  // namespace desk::kernel
