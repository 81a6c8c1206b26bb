// What the helper reads of one process. Reading its memory files (maps, environ, cmdline) blocks while the
// process holds its memory lock, possibly forever: the caller must be prepared to be killed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace desk {

// One JSON object, of the shape in src/checks/peek-facts.ts: {"pid":…,"start":"…","facts":{…}}, or
// {"pid":…,"gone":true} when that process has ended. `proc` is a descriptor of /proc; `start`, in clock ticks
// after boot, is compared by a descriptor of the process' own folder, so a reused pid is never reported.
std::string Peek(int proc, std::int32_t pid, std::uint64_t start);

// The description of a process in a finding, of the shape in src/features/inspection/describer.ts:
// {"pid":…,"start":"…","about":{…}}. The command line is read only with `arguments`, at most 4 KiB of it.
std::string Describe(int proc, std::int32_t pid, std::uint64_t start, bool arguments);
// The executable of the process: {"pid":…,"start":"…","image":{…},"sha256":"…"}, or `image` as a refusal.
// Reads the whole file, which may block on its disk or server.
std::string PeekDigest(int proc, std::int32_t pid, std::uint64_t start);
// The same for the file at a path, for a process that has ended. `path` in hexadecimal, two digits per byte;
// nothing when it is invalid.
std::optional<std::string> PeekFile(std::int32_t pid, std::uint64_t start, std::string_view path);

}  // namespace desk
