// What name and executable of a process say about it, as bits. Pure over the two texts.
#pragma once

#include <cstdint>
#include <string_view>

namespace desk {

enum Trait : std::uint16_t {
  // A name that only kernel threads bear: bracketed, or `kworker/…`, `ksoftirqd/…` and their like.
  kTraitKernelName = 1,
  // The executable was unlinked: the kernel ends the link's text with " (deleted)" (d_path, fs/d_path.c). A
  // file whose own name ends so looks the same.
  kTraitDeleted = 2,
  // The executable is a memfd (memfd_create(2): "/memfd:NAME (deleted)").
  kTraitMemfd = 4,
  // It lies where anybody may write or nothing outlives a boot: /dev/shm, /tmp, /var/tmp, /run.
  kTraitTemporary = 8,
  // A directory above it has a name that starts with a dot.
  kTraitHiddenFolder = 16,
  // The name is not the executable's base name, cut to what a name holds.
  kTraitOtherName = 32,
  // It runs programs written in a language (core/identity.h).
  kTraitInterpreter = 64,
};

// `comm` without padding; `executable` is the text of the exe link, empty when there is none or it is
// unreadable: then only kTraitKernelName can be told.
std::uint16_t TraitsOf(std::string_view comm, std::string_view executable);

// The rule behind kTraitKernelName.
bool IsKernelName(std::string_view comm);

}  // namespace desk
