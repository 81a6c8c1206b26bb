#include "table/row_bytes.h"

#include <algorithm>
#include <tuple>

namespace desk {
std::string RowBytes(const Columns& columns, const Capacity& capacity, std::uint32_t row) {
  std::string bytes;
  const auto add = [&](const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  const auto visit = [&](const auto& column) {
    if (std::ranges::find(kNotCompared, column.name) != kNotCompared.end()) return;
    const auto* const elements = columns.processes.*(column.member) + std::size_t{row} * column.width;
    for (std::uint32_t at = 0; at < column.width; ++at) {
      auto element = elements[at];
      if (column.name == "seen" || column.name == "refused") element &= ~kFactDescriptors;
      if (column.name == "state" && IsScheduled(static_cast<std::uint8_t>(element))) element = 0;
      add(element);
    }
  };
  std::apply([&](const auto&... column) { (visit(column), ...); }, kProcessColumns);
  for (const std::string_view text :
       {ExecutableOf(columns, capacity, row), CgroupOf(columns, capacity, row)}) {
    add(text.size());
    bytes += text;
  }
  return bytes;
}

}  // namespace desk
