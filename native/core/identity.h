// The identity of a process: its executable, whether it runs in a container, and for interpreters its name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace desk {

// What the kernel writes behind the path of a file that was unlinked (proc(5), /proc/pid/exe).
inline constexpr std::string_view kDeletedMark = " (deleted)";

struct IdentityFacts {
  // Empty when there is none or it is unreadable.
  std::string_view executable;
  // Without padding.
  std::string_view comm;
  // Empty when the status file could not be read.
  std::optional<std::uint32_t> uid;
  // Mount or pid namespace other than the reference's.
  bool container = false;
};

// Whether the executable is a language interpreter, whose path does not identify the program: by its base
// name, with or without a version number ("python3.11").
bool IsInterpreter(std::string_view executable);

// Writes the identity text into `into`, replacing it: executable path, or `comm?uid` without one (`comm?-`
// when the uid is unknown), then `@container`, then `:comm` for interpreters. The name comes last: a process
// chooses it freely, and must not be able to forge the other parts.
void BuildIdentity(const IdentityFacts& facts, std::string& into);

}  // namespace desk
