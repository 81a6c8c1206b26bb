// Rows of one table, whose columns are a tuple of core/columns.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>

#include "core/columns.h"

namespace desk {

// Copies `count` rows of one table; the two may overlap.
template <class Table, class View>
void CopyRows(const Table& table, const View& from, std::uint32_t source, const View& to,
              std::uint32_t target, std::uint32_t count) {
  const auto copy = [&](const auto& column) {
    const std::size_t width = column.width;
    std::memmove(to.*(column.member) + target * width, from.*(column.member) + source * width,
                 count * width * sizeof *(to.*(column.member)));
  };
  std::apply([&](const auto&... column) { (copy(column), ...); }, table);
}

}  // namespace desk
