// The layout of the columns, and the arena behind them, over any capacity.
#include "core/columns.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/arena.h"
#include "fuzz/support/fuzz.h"

namespace desk::fuzz {
namespace {

// Fills every element of every column of one table with `mark`, and reads it back.
template <class Table, class View>
void Touch(const Table& table, View& view, std::uint64_t rows, std::uint8_t mark, bool write) {
  Cursor ignored;
  WalkTable(table, rows, ignored, [&](const auto& column, std::uint64_t, std::uint64_t elements) {
    auto* const at = view.*(column.member);
    Ensure(reinterpret_cast<std::uintptr_t>(at) % alignof(std::uint64_t) == 0);
    for (std::uint64_t i = 0; i < elements; ++i) {
      if (write) at[i] = mark;
      Ensure(at[i] == mark);
    }
  });
}

void TouchAll(Columns& columns, const Capacity& capacity, bool write) {
  Touch(kProcessColumns, columns.processes, capacity.processes, 1, write);
  Touch(kListenerColumns, columns.listeners, capacity.sockets, 2, write);
  Touch(kConnectionColumns, columns.connections, capacity.sockets, 3, write);
  Touch(kHolderColumns, columns.holders, capacity.holders, 4, write);
  for (std::uint32_t i = 0; i < capacity.text; ++i) {
    if (write) columns.text[i] = 5;
    Ensure(columns.text[i] == 5);
  }
}

}  // namespace

void FuzzOne(std::span<const std::uint8_t> input) {
  Taker taker(input);
  const Capacity capacity{.processes = taker.Take<std::uint8_t>(),
                          .sockets = taker.Take<std::uint8_t>(),
                          .holders = taker.Take<std::uint8_t>(),
                          .text = taker.Take<std::uint16_t>() & 0xfffu};
  // Exactly the bytes of the layout: ASan detects a column beyond them, reading back detects overlaps.
  std::vector<std::byte> buffer(LayoutBytes(capacity));
  Columns columns = Bind(buffer.data(), capacity);
  TouchAll(columns, capacity, true);
  TouchAll(columns, capacity, false);

  const std::uint32_t shards = 1 + taker.Take<std::uint8_t>() % 16;
  std::uint32_t covered = 0;
  for (std::uint32_t shard = 0; shard < shards; ++shard) {
    const std::uint32_t begin = ShardBegin(capacity.text, shard, shards);
    const std::uint32_t end = ShardBegin(capacity.text, shard + 1, shards);
    Ensure(begin == covered && end >= begin);
    covered = end;
    Arena arena(columns.text, begin, end);
    std::uint32_t at = begin;
    Place last{};
    while (!taker.rest().empty() && !arena.overflow()) {
      const auto bytes = taker.TakeBytes(64);
      const bool same =
          std::ranges::equal(std::span(columns.text, capacity.text).subspan(last.offset, last.length), bytes);
      const std::optional<Place> place = arena.AppendUnless(last, TextOf(bytes));
      Ensure(place.has_value() == !arena.overflow());
      if (!place) break;
      Ensure(place->length == bytes.size());
      Ensure(std::ranges::equal(std::span(columns.text, capacity.text).subspan(place->offset, place->length),
                                bytes));
      if (!same) {
        Ensure(place->offset == at);
        at += place->length;
        Ensure(at <= end);
      }
      last = *place;
    }
  }
  Ensure(covered == capacity.text);
}

}  // namespace desk::fuzz
