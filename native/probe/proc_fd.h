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

// Puts the descriptors that are among the sockets `inodes` (ascending) into `held`, which is emptied first;
// the value is how many descriptors there are in all. `path` is relative to the root: "123/fd". A refusal
// when a link cannot be read, unless it was closed meanwhile; for lack of permission the walk stops, because
// that applies to all descriptors.
Result<std::uint32_t> ReadHeldSockets(int root, const char* path, std::span<const std::uint32_t> inodes,
                                      std::vector<Held>& held);

}  // namespace desk
