// /proc/PID/fd, links like "socket:[12345]" (proc_pid_fd(5)).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace desk {

// The inode of a socket link; nothing for any other link.
std::optional<std::uint32_t> ParseSocketLink(std::string_view link);

struct Held {
  std::uint32_t inode;
  std::int32_t fd;
};

// Puts the descriptors of a process that are among the sockets `inodes` (ascending) into `held`, which is
// emptied first. Refused (EACCES) as soon as one link is: the permission belongs to the process, not to the
// descriptor.
Result<bool> ReadHeldSockets(int root, std::int32_t pid, std::span<const std::uint32_t> inodes,
                             std::vector<Held>& held);

}  // namespace desk
