// Directories whose entries are numbers (pids, tids, descriptors), read by getdents64(2).
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/fd.h"
#include "core/result.h"
#include "core/text.h"

namespace desk {

// struct linux_dirent64 of getdents64(2) up to its name.
struct DirectoryEntry {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t length;
  std::uint8_t type;
  char name[1];
};
inline constexpr std::size_t kEntryNameOffset = offsetof(DirectoryEntry, name);

// Calls visit(number) for every entry in a result of getdents64(2) whose name is a number that fits; visit
// returns false to stop. The value is whether the walk reached the end; EBADMSG for an invalid length.
template <class Visit>
Result<bool> VisitNumbers(std::span<const char> entries, Visit&& visit) {
  while (!entries.empty()) {
    if (entries.size() <= kEntryNameOffset) return Errno{EBADMSG};
    std::uint16_t length = 0;
    std::memcpy(&length, entries.data() + offsetof(DirectoryEntry, length), sizeof length);
    if (length <= kEntryNameOffset || length > entries.size()) return Errno{EBADMSG};
    const char* const name = entries.data() + kEntryNameOffset;
    const std::size_t name_length = ::strnlen(name, length - kEntryNameOffset);
    const auto number = ParseNumber<std::int32_t>({name, name_length});
    if (number && *number >= 0 && !visit(*number)) return false;
    entries = entries.subspan(length);
  }
  return true;
}

// Calls visit(number, directory descriptor) for every entry of a directory whose name is a number that fits;
// visit returns false to stop. The value is whether the walk reached the end.
template <class Visit>
Result<bool> WalkNumbers(int base, const char* path, Visit&& visit) {
  const Fd directory(::openat(base, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.valid()) return Errno{errno};
  alignas(DirectoryEntry) char buffer[32 << 10];
  for (;;) {
    const long got = ::syscall(SYS_getdents64, directory.get(), buffer, sizeof buffer);
    if (got < 0) {
      if (errno == EINTR) continue;
      return Errno{errno};
    }
    if (got == 0) return true;
    const Result<bool> visited =
        VisitNumbers(std::span<const char>(buffer, static_cast<std::size_t>(got)),
                     [&](std::int32_t number) { return visit(number, directory.get()); });
    if (!visited || !*visited) return visited;
  }
}

}  // namespace desk
