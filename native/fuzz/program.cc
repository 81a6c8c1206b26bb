// Programs of the batch from arbitrary numbers: refused with a message, or run alike by the kernel and by
// the naive reference, over arbitrary rows.
#include "kernel/program.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/columns.h"
#include "fuzz/support/fuzz.h"
#include "kernel/run.h"

namespace desk::fuzz {
namespace {

using kernel::BitmapBytes;
using kernel::Program;
using kernel::ProgramSource;

template <class Table>
std::vector<std::string> Names(const Table& table) {
  std::vector<std::string> names;
  Cursor ignored;
  WalkTable(table, 0, ignored,
            [&](const auto& column, std::uint64_t, std::uint64_t) { names.emplace_back(column.name); });
  return names;
}

// Everything a program is made from; the source only views it.
struct Parts {
  std::vector<std::uint32_t> operations;
  std::vector<std::uint64_t> values;
  std::vector<std::uint64_t> set;
  std::vector<std::uint8_t> bitmap;
  std::vector<std::uint32_t> outputs;

  ProgramSource Take(Taker& taker) {
    ProgramSource source;
    const bool listeners = (taker.Take<std::uint8_t>() & 1) != 0;
    source.table = listeners ? "listeners" : "processes";
    const std::vector<std::string> names = listeners ? Names(kListenerColumns) : Names(kProcessColumns);
    for (const std::uint8_t pick : taker.TakeBytes(6))
      source.columns.push_back(pick < 250 ? names[pick % names.size()] : "no such column");
    // Small numbers, most of them in range.
    for (const std::uint8_t word : taker.TakeBytes(120))
      operations.push_back((word & 0x80) != 0 ? kernel::kParameterBit | (word & 3u) : word & 0x0fu);
    for (const std::uint8_t value : taker.TakeBytes(6))
      values.push_back(value < 128 ? value : ~std::uint64_t{value});
    for (const std::uint8_t value : taker.TakeBytes(40)) set.push_back(value * std::uint64_t{257});
    std::ranges::sort(set);
    bitmap.resize(kernel::kBitmapBytes);
    for (const std::uint8_t value : taker.TakeBytes(16)) bitmap[value] = value;
    for (const std::uint8_t value : taker.TakeBytes(4)) outputs.push_back(value & 0x1fu);
    source.operations = operations;
    source.values = values;
    source.parameters = taker.Take<std::uint8_t>() & 3u;
    source.sets = {set};
    source.bitmaps = {bitmap};
    source.registers = taker.Take<std::uint8_t>() & 0x1fu;
    source.outputs = outputs;
    source.kept = taker.Take<std::uint8_t>() & 3u;
    return source;
  }
};

struct Answer {
  std::vector<std::uint64_t> counts;
  std::vector<std::uint8_t> verdicts;
  bool operator==(const Answer&) const = default;
};

void RunBoth(const Program& program, Taker& taker) {
  const std::uint32_t rows = taker.Take<std::uint8_t>();
  const Capacity capacity{.processes = rows, .sockets = rows, .holders = 0, .text = 0};
  std::vector<std::byte> buffer(LayoutBytes(capacity));
  const auto bytes = std::as_bytes(taker.rest());
  for (std::size_t i = 0; i < buffer.size() && !bytes.empty(); ++i) buffer[i] = bytes[i % bytes.size()];
  const Columns columns = Bind(buffer.data(), capacity);
  std::vector<std::uint64_t> parameters(program.parameters());
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i] = i;
  const auto answer = [&](auto&& run) {
    Answer made{.counts = std::vector<std::uint64_t>(program.outputs().size()),
                .verdicts = std::vector<std::uint8_t>(program.kept() * BitmapBytes(rows))};
    run(kernel::Run{.rows = rows, .from = 0, .to = rows, .parameters = parameters, .verdicts = made.verdicts},
        made.counts);
    return made;
  };
  kernel::Scratch scratch;
  const Answer fast = answer([&](const kernel::Run& run, std::span<std::uint64_t> counts) {
    RunKernel(program, columns, run, scratch, counts);
  });
  const Answer slow = answer([&](const kernel::Run& run, std::span<std::uint64_t> counts) {
    RunReference(program, columns, run, counts);
  });
  Ensure(fast == slow);
  for (const std::uint64_t count : fast.counts) Ensure(count <= rows);
}

}  // namespace

void FuzzOne(std::span<const std::uint8_t> input) {
  Taker taker(input);
  Parts parts;
  const ProgramSource source = parts.Take(taker);
  try {
    const Program program(source);
    RunBoth(program, taker);
  } catch (const std::invalid_argument& refused) {
    Ensure(!std::string_view(refused.what()).empty());
  }
}

}  // namespace desk::fuzz
