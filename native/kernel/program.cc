#include "kernel/program.h"

#include <cstring>
#include <optional>
#include <stdexcept>
#include <type_traits>

namespace desk::kernel {
namespace {

[[noreturn]] void Refuse(const std::string& message) { throw std::invalid_argument("program: " + message); }

[[noreturn]] void RefuseAt(std::size_t operation, const std::string& message) {
  Refuse("operation " + std::to_string(operation) + ": " + message);
}

template <class T>
constexpr Element ElementOf() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return Element::kU8;
  if constexpr (std::is_same_v<T, std::uint16_t>) return Element::kU16;
  if constexpr (std::is_same_v<T, std::uint32_t>) return Element::kU32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return Element::kU64;
  if constexpr (std::is_same_v<T, std::int32_t>) return Element::kI32;
}

// Calls visit(column, position) for every column of a table.
template <class Columns, class Visit>
void EachColumn(const Columns& columns, Visit&& visit) {
  std::size_t position = 0;
  std::apply([&](const auto&... column) { (visit(column, position++), ...); }, columns);
}

template <class Visit>
void EachColumnOf(Table table, Visit&& visit) {
  if (table == Table::kProcesses)
    EachColumn(kProcessColumns, visit);
  else
    EachColumn(kListenerColumns, visit);
}

ColumnRef FindColumn(Table table, const std::string& name) {
  std::optional<ColumnRef> found;
  bool wide = false;
  EachColumnOf(table, [&](const auto& column, std::size_t position) {
    if (column.name != name) return;
    using T = typename std::decay_t<decltype(column)>::Element;
    found = ColumnRef{position, ElementOf<T>()};
    wide = column.width != 1;
  });
  if (!found) Refuse("the table has no column \"" + name + "\"");
  if (wide) Refuse("column \"" + name + "\" has more than one element a row");
  return *found;
}

Table FindTable(const std::string& name) {
  if (name == "processes") return Table::kProcesses;
  if (name == "listeners") return Table::kListeners;
  Refuse(R"(table must be "processes" or "listeners", not ")" + name + "\"");
}

bool Compares(Code code) { return code >= Code::kMasked; }

}  // namespace

Program::Program(const ProgramSource& source)
    : table_(FindTable(source.table)),
      values_(source.values.begin(), source.values.end()),
      parameters_(source.parameters),
      registers_(source.registers),
      outputs_(source.outputs.begin(), source.outputs.end()),
      kept_(source.kept) {
  for (const std::string& name : source.columns) columns_.push_back(FindColumn(table_, name));
  for (const auto& set : source.sets) sets_.emplace_back(std::vector(set.begin(), set.end()));
  for (const auto& bitmap : source.bitmaps) {
    if (bitmap.size() != kBitmapBytes) {
      Refuse("a bitmap must have " + std::to_string(kBitmapBytes) + " bytes, not " +
             std::to_string(bitmap.size()));
    }
    std::memcpy(bitmaps_.emplace_back().data(), bitmap.data(), kBitmapBytes);
  }
  if (registers_ > kMostRegisters) Refuse("more than " + std::to_string(kMostRegisters) + " registers");
  if (source.operations.size() % kOperationWords != 0)
    Refuse("operations must be " + std::to_string(kOperationWords) + " words each");
  const std::size_t count = source.operations.size() / kOperationWords;
  if (count > kMostOperations) Refuse("more than " + std::to_string(kMostOperations) + " operations");
  std::vector<bool> written(registers_);
  std::vector<bool> touched(columns_.size());
  for (std::size_t at = 0; at < count; ++at) {
    Operation operation = Read(source, at);
    if (Compares(operation.code)) {
      operation.first_read = !touched[operation.column];
      touched[operation.column] = true;
    }
    const auto read = [&](std::uint16_t reg) {
      if (!written[reg]) RefuseAt(at, "register " + std::to_string(reg) + " is read before it is written");
    };
    switch (operation.code) {
      case Code::kAnd:
      case Code::kOr:
      case Code::kAndNot: read(operation.right); [[fallthrough]];
      case Code::kNot: read(operation.left); break;
      default: break;
    }
    written[operation.into] = true;
    operations_.push_back(operation);
  }
  if (kept_ > outputs_.size()) Refuse("kept must be at most the number of outputs");
  for (const std::uint32_t output : outputs_)
    if (output >= registers_ || !written[output])
      Refuse("output register " + std::to_string(output) + " is never written");
}

Operand Program::ReadOperand(std::uint32_t word, std::size_t at) const {
  const Operand operand{(word & kParameterBit) != 0, word & ~kParameterBit};
  const std::size_t most = operand.parameter ? parameters_ : values_.size();
  if (operand.index >= most) {
    RefuseAt(at, std::string("no ") + (operand.parameter ? "parameter " : "value ") +
                     std::to_string(operand.index));
  }
  return operand;
}

Operation Program::Read(const ProgramSource& source, std::size_t at) const {
  const std::uint32_t* const words = source.operations.data() + at * kOperationWords;
  const auto reg = [&](std::uint32_t word) {
    if (word >= registers_) RefuseAt(at, "no register " + std::to_string(word));
    return static_cast<std::uint16_t>(word);
  };
  const auto column = [&](std::uint32_t word) {
    if (word >= columns_.size()) RefuseAt(at, "no column " + std::to_string(word));
    return static_cast<std::uint16_t>(word);
  };
  if (words[0] >= kCodes) RefuseAt(at, "no operation has code " + std::to_string(words[0]));
  Operation operation;
  operation.code = static_cast<Code>(words[0]);
  operation.into = reg(words[1]);
  const auto [a, b, c] = std::array{words[2], words[3], words[4]};
  switch (operation.code) {
    case Code::kNone:
    case Code::kAll: break;
    case Code::kFlag: operation.low = ReadOperand(a, at); break;
    case Code::kNot: operation.left = reg(a); break;
    case Code::kAnd:
    case Code::kOr:
    case Code::kAndNot:
      operation.left = reg(a);
      operation.right = reg(b);
      break;
    case Code::kMasked:
    case Code::kRange:
      operation.column = column(a);
      operation.low = ReadOperand(b, at);
      operation.high = ReadOperand(c, at);
      break;
    case Code::kInSet:
      operation.column = column(a);
      if (b >= sets_.size()) RefuseAt(at, "no set " + std::to_string(b));
      operation.collection = b;
      break;
    case Code::kInBitmap:
      operation.column = column(a);
      if (columns_[operation.column].element != Element::kU16) RefuseAt(at, "wants a column of type u16");
      if (b >= bitmaps_.size()) RefuseAt(at, "no bitmap " + std::to_string(b));
      operation.collection = b;
      break;
  }
  return operation;
}

std::vector<const void*> ColumnStarts(const Program& program, const Columns& columns) {
  std::vector<const void*> all;
  EachColumnOf(program.table(), [&](const auto& column, std::size_t) {
    if constexpr (requires { columns.processes.*(column.member); })
      all.push_back(columns.processes.*(column.member));
    else
      all.push_back(columns.listeners.*(column.member));
  });
  std::vector<const void*> starts;
  for (const ColumnRef& ref : program.columns()) starts.push_back(all[ref.position]);
  return starts;
}

}  // namespace desk::kernel
