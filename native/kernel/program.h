// The checks of one table as a program: a flat list of operations over bitmap registers (one bit a row), each
// written by one operation and read by later ones. Made from plain numbers, which are checked like any input.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/columns.h"
#include "kernel/value_set.h"

namespace desk::kernel {

enum class Table : std::uint8_t { kProcesses, kListeners };

// i32 columns hold two's complement: a constant for them is the same number in 64 bits.
enum class Element : std::uint8_t { kU8, kU16, kU32, kU64, kI32 };

enum class Code : std::uint8_t {
  kNone = 0,       // no row
  kAll = 1,        // every row
  kFlag = 2,       // every row when value a is not 0, else none
  kNot = 3,        // not a
  kAnd = 4,        // a and b
  kOr = 5,         // a or b
  kAndNot = 6,     // a and not b
  kMasked = 7,     // (column a & value b) == value c; mask and value cut to the column's width
  kRange = 8,      // value b <= column a <= value c
  kInSet = 9,      // column a is in set b
  kInBitmap = 10,  // bit (column a) of bitmap b is set; u16 columns only
};
inline constexpr std::uint32_t kCodes = 11;

// A 64-bit value: a constant, or one that changes with each run.
struct Operand {
  bool parameter = false;
  std::uint32_t index = 0;
};

struct Operation {
  Code code = Code::kNone;
  std::uint16_t into = 0;
  // Registers read.
  std::uint16_t left = 0;
  std::uint16_t right = 0;
  // Place in Program::columns().
  std::uint16_t column = 0;
  // No operation before this one reads the column.
  bool first_read = false;
  // Set or bitmap.
  std::uint32_t collection = 0;
  // kMasked: mask, value. kRange: lowest, highest. kFlag: low.
  Operand low;
  Operand high;
};

// In words of the source: the operation's code, the register it writes, then a, b, c.
inline constexpr std::size_t kOperationWords = 5;
// Bit of an operand word that marks a parameter.
inline constexpr std::uint32_t kParameterBit = 0x8000'0000;
inline constexpr std::size_t kMostOperations = 4096;
inline constexpr std::uint32_t kMostRegisters = 1024;
inline constexpr std::size_t kBitmapBytes = 65536 / 8;

// What a program is made from.
struct ProgramSource {
  std::string table;  // `processes` or `listeners`
  std::vector<std::string> columns;
  std::span<const std::uint32_t> operations;
  std::span<const std::uint64_t> values;
  std::uint32_t parameters = 0;
  std::vector<std::span<const std::uint64_t>> sets;
  std::vector<std::span<const std::uint8_t>> bitmaps;
  std::uint32_t registers = 0;
  // Registers whose rows are counted; the bitmaps of the first `kept` are handed back.
  std::span<const std::uint32_t> outputs;
  std::uint32_t kept = 0;
};

struct ColumnRef {
  std::size_t position = 0;  // in the table's list of columns
  Element element = Element::kU8;
};

using PortBitmap = std::array<std::uint32_t, 65536 / 32>;

class Program {
 public:
  // Throws std::invalid_argument with a message that names the place and the error.
  explicit Program(const ProgramSource& source);

  Table table() const { return table_; }
  std::span<const ColumnRef> columns() const { return columns_; }
  std::span<const Operation> operations() const { return operations_; }
  std::uint32_t parameters() const { return parameters_; }
  std::uint32_t registers() const { return registers_; }
  std::span<const std::uint32_t> outputs() const { return outputs_; }
  std::uint32_t kept() const { return kept_; }
  const ValueSet& set(std::uint32_t at) const { return sets_[at]; }
  const PortBitmap& bitmap(std::uint32_t at) const { return bitmaps_[at]; }

  std::uint64_t Value(const Operand& operand, std::span<const std::uint64_t> parameters) const {
    return operand.parameter ? parameters[operand.index] : values_[operand.index];
  }

 private:
  Operation Read(const ProgramSource& source, std::size_t at) const;
  Operand ReadOperand(std::uint32_t word, std::size_t at) const;

  Table table_ = Table::kProcesses;
  std::vector<ColumnRef> columns_;
  std::vector<Operation> operations_;
  std::vector<std::uint64_t> values_;
  std::uint32_t parameters_ = 0;
  std::vector<ValueSet> sets_;
  std::vector<PortBitmap> bitmaps_;
  std::uint32_t registers_ = 0;
  std::vector<std::uint32_t> outputs_;
  std::uint32_t kept_ = 0;
};

// First elements of the program's columns.
std::vector<const void*> ColumnStarts(const Program& program, const Columns& columns);

}  // namespace desk::kernel
