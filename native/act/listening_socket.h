// A listening socket by its inode: whether it still listens, and which processes hold it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/result.h"

namespace desk {

struct ListeningSocket {
  std::uint8_t protocol = 6;  // IPPROTO_TCP or IPPROTO_UDP
  std::uint8_t family = 4;    // 4 or 6
  std::uint16_t port = 0;
  std::uint32_t inode = 0;
};

// Uid of the creator of the socket, if it listens on its port in our network namespace (UDP: is bound there
// and unconnected); nothing when it does not.
Result<std::optional<std::uint32_t>> ListenerCreator(const ListeningSocket& socket);

struct SocketHolders {
  // Processes that have it among their descriptors, ascending.
  std::vector<std::int32_t> pids;
  // User-space processes whose descriptors could not be read: any of them may hold it too.
  std::uint32_t unread = 0;
};

// The holders of each of `inodes` (ascending, each once), in their order. Reads the descriptors of every
// process of `root` once, for any number of sockets: a few microseconds per process.
Result<std::vector<SocketHolders>> FindHolders(int root, std::span<const std::uint32_t> inodes);

}  // namespace desk
