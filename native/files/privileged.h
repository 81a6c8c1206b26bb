// Finds the programs of a file system that run with rights of others: set-user-ID and set-group-ID programs,
// and those with file capabilities (execve(2), capabilities(7)).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "files/search.h"

namespace desk::files {

// The extended attribute security.capability as it is stored (struct vfs_ns_cap_data of linux/capability.h);
// empty without one.
using Capabilities = std::vector<std::uint8_t>;

struct PrivilegedVisitor {
  // Returns false to stop: more than is wanted.
  std::function<bool(const Found&, const Capabilities& capabilities)> found;
  // A folder that could not be read, with its errno.
  std::function<void(const std::string& path, int error)> refused;
};

// Entries of folders that one walk reads.
inline constexpr std::size_t kMostWalked = 8'000'000;

// Visits them below `mount`, a mount point, without entering other mounts. A file system on which such rights
// have no effect (nosuid in mount(8)) is not read, nor a folder that only root can enter. False when the
// visitor stopped it, or there was more than the limits allow.
bool WalkPrivileged(const std::string& mount, const PrivilegedVisitor& visitor);

}  // namespace desk::files
