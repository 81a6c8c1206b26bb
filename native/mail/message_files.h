// Headers of messages that are files of their own: Maildir and MH.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mail/message_columns.h"

namespace desk {

// What became of a file, beside errno.
inline constexpr std::int32_t kMessage = 0;
inline constexpr std::int32_t kNoMessage = -1;

// Adds the messages of files of a directory, whose names stand in `names`, each ended by NUL, until all are
// read, so many milliseconds are over, or their texts are a few MiB; one at least. Some threads read them. Of
// each that was looked at: kMessage; kNoMessage for what is gone, empty or no regular file; else the errno,
// also the directory's. Links are not followed and nothing is waited for (open(2): O_NOFOLLOW, O_NONBLOCK).
std::vector<std::int32_t> ReadMessageFiles(const std::string& directory, const std::string& names,
                                           std::int64_t now_ms, std::int64_t for_ms, MessageReader& reader);

}  // namespace desk
