// What the helper tells of one process. Reading its memory files (maps, environ, cmdline) waits for as long
// as the process holds its memory lock, for ever if it wants: whoever calls this must be ready to be killed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace desk {

// One JSON object, of the shape in src/checks/peek-facts.ts: {"pid":…,"start":"…","facts":{…}}, or
// {"pid":…,"gone":true} when that process has ended. `proc` is a descriptor of /proc; `start`, in clock ticks
// after boot, is compared behind a descriptor of the process' own folder, so a pid used again is never told.
std::string Peek(int proc, std::int32_t pid, std::uint64_t start);

// What a finding shows of a process, in the same way, of the shape in src/peek/description.ts:
// {"pid":…,"start":"…","about":{…}}. The command line is read only with `arguments`, at most 4 KiB of it.
std::string Describe(int proc, std::int32_t pid, std::uint64_t start, bool arguments);
// The same of what the process runs: {"pid":…,"start":"…","image":{…},"sha256":"…"}, or `image` as a refusal.
// Reads the whole file, which may block for as long as its disk or server does.
std::string PeekDigest(int proc, std::int32_t pid, std::uint64_t start);
// The same of the file at a path, for a process that has ended: it is not looked for. `path` in hexadecimal,
// two digits a byte; nothing when it is none.
std::optional<std::string> PeekFile(std::int32_t pid, std::uint64_t start, std::string_view path);

}  // namespace desk
