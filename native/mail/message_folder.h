// Directories with a file per message, Maildir and MH: the files by number and name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"

namespace desk {

enum class MessageFolderKind {
  // A file is known by its name up to the first colon, which stays when flags change; hidden ones are none.
  kMaildir,
  // The name is a number from 1 on without leading zeros, and changes; a file is known by inode, size and
  // time.
  kMh,
};

struct MessageFolder {
  // Each ended by NUL, in the order of the directory.
  std::string names;
  // Where each begins in them, and where they end.
  std::vector<std::uint32_t> begins;
  // Below 2^53: FNV-1a of what each is known by.
  std::vector<double> units;
};

// Bytes of names that are told of one directory.
inline constexpr std::size_t kMostNames = 256u << 20;

// The files of a directory; an errno when the system refuses, E2BIG for more names than that.
Result<MessageFolder> ListMessageFolder(const std::string& path, MessageFolderKind kind);

}  // namespace desk
