// Suspicious properties of the name and executable of a process, as bits. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace desk {

enum Trait : std::uint16_t {
#define TRAIT(name, value) name = (value),
#include "core/columns.def"
};

// `comm` without padding; `executable` is the text of the exe link, empty when there is none or it is
// unreadable: then only kTraitKernelName can be set.
std::uint16_t TraitsOf(std::string_view comm, std::string_view executable);

// The rule behind kTraitKernelName.
bool IsKernelName(std::string_view comm);

}  // namespace desk
