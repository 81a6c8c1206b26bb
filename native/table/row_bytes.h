// What was read about a process: the parts of its row that are compared.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/columns.h"

namespace desk {

// Columns that are not compared as they are: positions of texts, which are compared by their content, and
// what the table derives.
inline constexpr std::array<std::string_view, 7> kNotCompared{
    "exeOffset", "exeLength", "cgroupOffset", "cgroupLength", "traits", "own", "lookups"};

// Equal for rows that say the same, but for their descriptors (probe/owners.h) and for whether the process
// runs or sleeps.
std::string RowBytes(const Columns& columns, const Capacity& capacity, std::uint32_t row);

}  // namespace desk
