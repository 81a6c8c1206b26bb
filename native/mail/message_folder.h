// Directories with a file per message, Maildir and MH.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"

namespace desk {

enum class MessageFolderKind {
  // A file is identified by its name up to the first colon, which is stable when flags change. Hidden files
  // are skipped.
  kMaildir,
  // The name is a number from 1 on without leading zeros, and changes; a file is identified by inode, size
  // and time.
  kMh,
};

struct MessageFolder {
  // Each ended by NUL, in the order of the directory.
  std::string names;
  // The offset of each, and the end.
  std::vector<std::uint32_t> begins;
  // Below 2^53: FNV-1a of what identifies each.
  std::vector<double> units;
};

// Most bytes of names of one directory.
inline constexpr std::size_t kMostNames = 256u << 20;

// The files of a directory; or an errno, E2BIG for too many names.
Result<MessageFolder> ListMessageFolder(const std::string& path, MessageFolderKind kind);

}  // namespace desk
