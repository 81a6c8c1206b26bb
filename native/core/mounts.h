// Mounts: the lines of mountinfo (proc_pid_mountinfo(5)), and which mount a path lies in.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/result.h"
#include "core/text.h"

namespace desk {

// `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue`. Blanks in a path are
// \040.
struct MountLine {
  std::optional<std::uint64_t> id;
  std::optional<std::uint64_t> parent;
  // major:minor of the superblock.
  std::string_view device;
  std::string_view point;
  // The mount options and all that follows.
  std::string_view rest;
};

// Takes a line off the front of the text of mountinfo.
inline MountLine TakeMount(std::string_view& text) {
  std::string_view line = TakeUntil(text, '\n');
  MountLine mount;
  mount.id = ParseNumber<std::uint64_t>(TakeUntil(line, ' '));
  mount.parent = ParseNumber<std::uint64_t>(TakeUntil(line, ' '));
  mount.device = TakeUntil(line, ' ');
  TakeUntil(line, ' ');
  mount.point = TakeUntil(line, ' ');
  mount.rest = line;
  return mount;
}

// Takes the file system's type out of `rest` of a line, and all before it: mount options, then optional
// fields up to a lone dash. "" for a malformed line.
inline std::string_view TakeMountType(std::string_view& rest) {
  TakeUntil(rest, ' ');
  while (!rest.empty() && TakeUntil(rest, ' ') != "-") {
  }
  return TakeUntil(rest, ' ');
}

// The line of a mount.
inline std::optional<MountLine> FindMount(std::string_view text, std::uint64_t id) {
  while (!text.empty()) {
    const MountLine mount = TakeMount(text);
    if (mount.id == id) return mount;
  }
  return std::nullopt;
}

// The id of the mount that a path lies in (statx(2), STATX_MNT_ID); EOPNOTSUPP before Linux 5.8.
inline Result<std::uint64_t> MountOf(int directory, const char* path, int flags) {
  struct statx place {};
  if (::statx(directory, path, flags | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, STATX_MNT_ID, &place) != 0)
    return Errno{errno};
  if ((place.stx_mask & STATX_MNT_ID) == 0) return Errno{EOPNOTSUPP};
  return place.stx_mnt_id;
}

}  // namespace desk
