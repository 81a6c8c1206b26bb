// Headers of messages that are files of their own: Maildir and MH.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mail/message_columns.h"

namespace desk {

// The result for a file, other than errno.
inline constexpr std::int32_t kMessage = 0;
inline constexpr std::int32_t kNoMessage = -1;

// Adds the messages in the files `names` of a directory, each name ended by NUL, until all are read, the time
// is over, or their texts are a few MiB; at least one. Several threads read them. For each file read:
// kMessage; kNoMessage when it is gone, empty or not a regular file; else the errno, also the directory's.
// Links are not followed and reads do not wait (open(2): O_NOFOLLOW, O_NONBLOCK).
std::vector<std::int32_t> ReadMessageFiles(const std::string& directory, const std::string& names,
                                           std::int64_t now_ms, std::int64_t for_ms, MessageReader& reader);

}  // namespace desk
