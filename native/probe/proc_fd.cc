#include "probe/proc_fd.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "core/directory.h"
#include "core/text.h"

namespace desk {

std::optional<std::uint32_t> ParseSocketLink(std::string_view link) {
  constexpr std::string_view kPrefix = "socket:[";
  if (!link.starts_with(kPrefix) || !link.ends_with(']')) return std::nullopt;
  return ParseNumber<std::uint32_t>(link.substr(kPrefix.size(), link.size() - kPrefix.size() - 1));
}

Result<std::uint32_t> ReadHeldSockets(int root, const char* path, std::span<const std::uint32_t> inodes,
                                      std::vector<Held>& held) {
  held.clear();
  std::uint32_t count = 0;
  int failed = 0;
  const Result<bool> walked = WalkNumbers(root, path, [&](std::int32_t fd, int directory) {
    ++count;
    char name[12];
    *std::to_chars(name, name + sizeof name - 1, fd).ptr = '\0';
    char link[32];  // long enough for a socket link
    const ssize_t got = ::readlinkat(directory, name, link, sizeof link);
    if (got < 0) {
      if (!IsGone(errno)) failed = errno;  // gone: closed meanwhile
      return !IsRefused(failed);
    }
    const auto inode = ParseSocketLink(std::string_view(link, static_cast<std::size_t>(got)));
    if (inode && std::ranges::binary_search(inodes, *inode)) held.push_back({*inode, fd});
    return true;
  });
  if (!walked) return walked.refusal();
  if (failed != 0) return Errno{failed};
  return count;
}

}  // namespace desk
