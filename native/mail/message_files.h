// Headers of messages that are files of their own: Maildir and MH.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace desk {

// What became of a file, beside errno.
inline constexpr std::int32_t kMessage = 0;
inline constexpr std::int32_t kNoMessage = -1;

struct MessageHeaders {
  // As AppendFields tells them, of the messages one after another.
  std::string lines;
  // Of each path: kMessage; kNoMessage for what is gone, empty or no regular file; else the errno.
  std::vector<std::int32_t> states;
};

// Reads the headers of files whose paths stand in `paths`, each ended by NUL. Links are not followed and
// nothing is waited for (open(2): O_NOFOLLOW, O_NONBLOCK).
MessageHeaders ReadMessageHeaders(std::string_view paths);

}  // namespace desk
