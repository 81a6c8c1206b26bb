// The naive kernel: one row at a time, one operation at a time, every comparison in 64 bits. The vectorised
// kernel is tested against it, so they share only the program.
#include <algorithm>

#include "kernel/run.h"

namespace desk::kernel {
namespace {

// An element as a signed 128-bit number, which every element and constant fits.
__extension__ using Wide = __int128;

Wide ElementAt(Element element, const void* column, std::uint32_t row) {
  switch (element) {
    case Element::kU8: return static_cast<const std::uint8_t*>(column)[row];
    case Element::kU16: return static_cast<const std::uint16_t*>(column)[row];
    case Element::kU32: return static_cast<const std::uint32_t*>(column)[row];
    case Element::kU64: return static_cast<const std::uint64_t*>(column)[row];
    case Element::kI32: return static_cast<const std::int32_t*>(column)[row];
  }
  return 0;
}

Wide Constant(Element element, std::uint64_t value) {
  return element == Element::kI32 ? Wide{static_cast<std::int64_t>(value)} : Wide{value};
}

std::uint64_t WidthMask(Element element) {
  switch (element) {
    case Element::kU8: return 0xff;
    case Element::kU16: return 0xffff;
    case Element::kU64: return ~std::uint64_t{0};
    default: return 0xffff'ffff;
  }
}

class Naive {
 public:
  Naive(const Program& program, const Columns& columns, const Run& run)
      : program_(program),
        run_(run),
        starts_(ColumnStarts(program, columns)),
        registers_(program.registers()) {}

  void Judge(std::uint32_t row) {
    for (const Operation& operation : program_.operations())
      registers_[operation.into] = Holds(operation, row);
  }
  bool bit(std::uint32_t reg) const { return registers_[reg]; }

 private:
  bool Holds(const Operation& operation, std::uint32_t row) const {
    const bool left = registers_[operation.left];
    const bool right = registers_[operation.right];
    switch (operation.code) {
      case Code::kNone: return false;
      case Code::kAll: return true;
      case Code::kFlag: return Value(operation.low) != 0;
      case Code::kNot: return !left;
      case Code::kAnd: return left && right;
      case Code::kOr: return left || right;
      case Code::kAndNot: return left && !right;
      default: return Compares(operation, row);
    }
  }
  bool Compares(const Operation& operation, std::uint32_t row) const {
    const Element element = program_.columns()[operation.column].element;
    const Wide value = ElementAt(element, starts_[operation.column], row);
    switch (operation.code) {
      case Code::kMasked: {
        const std::uint64_t width = WidthMask(element);
        const std::uint64_t masked = static_cast<std::uint64_t>(value) & Value(operation.low) & width;
        return masked == (Value(operation.high) & width);
      }
      case Code::kRange:
        return value >= Constant(element, Value(operation.low)) &&
               value <= Constant(element, Value(operation.high));
      case Code::kInSet: {
        const auto values = program_.set(operation.collection).values();
        return std::ranges::any_of(values,
                                   [&](std::uint64_t member) { return Constant(element, member) == value; });
      }
      default: {  // kInBitmap
        const auto port = static_cast<std::uint32_t>(value);
        return (program_.bitmap(operation.collection)[port / 32] >> (port % 32) & 1) != 0;
      }
    }
  }
  std::uint64_t Value(const Operand& operand) const { return program_.Value(operand, run_.parameters); }

  const Program& program_;
  const Run& run_;
  std::vector<const void*> starts_;
  std::vector<bool> registers_;
};

}  // namespace

void RunReference(const Program& program, const Columns& columns, const Run& run,
                  std::span<std::uint64_t> counts) {
  std::ranges::fill(counts, 0);
  const std::size_t bitmap = BitmapBytes(run.rows);
  const std::size_t first = run.from / 8;
  const std::size_t bytes = run.to > run.from ? BitmapBytes(run.to - run.from) : 0;
  for (std::uint32_t at = 0; at < program.kept(); ++at)
    std::fill_n(run.verdicts.begin() + static_cast<std::ptrdiff_t>(at * bitmap + first), bytes, 0);
  Naive naive(program, columns, run);
  for (std::uint32_t row = run.from; row < run.to; ++row) {
    naive.Judge(row);
    for (std::uint32_t at = 0; at < counts.size(); ++at) {
      if (!naive.bit(program.outputs()[at])) continue;
      ++counts[at];
      if (at < program.kept())
        run.verdicts[at * bitmap + row / 8] |= static_cast<std::uint8_t>(1u << row % 8);
    }
  }
}

}  // namespace desk::kernel
