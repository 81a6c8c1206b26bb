// /proc/PID/stat, proc_pid_stat(5).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/columns.h"
#include "core/result.h"

namespace desk {

struct Stat {
  std::int32_t pid = 0;
  // Raw bytes, zero-padded, cut to 15 as the kernel's comm is (names of kernel threads may be longer here).
  std::array<char, kCommBytes> comm{};
  char state = 0;
  std::int32_t ppid = 0;
  std::int32_t tty = 0;
  std::uint32_t flags = 0;
  std::uint32_t threads = 0;
  // Clock ticks after boot.
  std::uint64_t start = 0;
  bool operator==(const Stat&) const = default;

  bool kernel_thread() const { return (flags & kPfKthread) != 0; }
  // Zombie or dead: this thread, and the process only when no other thread lives.
  bool zombie() const { return IsZombie(static_cast<std::uint8_t>(state)); }
};

// EBADMSG when the text is not a stat line.
Result<Stat> ParseStat(std::string_view text);
// EBADMSG also when the line belongs to another id (something is mounted over the directory).
Result<Stat> ParseStatOf(std::string_view text, std::int32_t id);

// The stat file of a process or thread: "123/stat", "123/task/124/stat".
Result<Stat> ReadStat(int root, const char* path, std::int32_t id);
Result<Stat> ReadStat(int root, std::int32_t pid);

}  // namespace desk
