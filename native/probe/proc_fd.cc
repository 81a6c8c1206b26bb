#include "probe/proc_fd.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "core/directory.h"
#include "core/path.h"
#include "core/text.h"

namespace desk {

std::optional<std::uint32_t> ParseSocketLink(std::string_view link) {
  constexpr std::string_view kPrefix = "socket:[";
  if (!link.starts_with(kPrefix) || !link.ends_with(']')) return std::nullopt;
  return ParseNumber<std::uint32_t>(link.substr(kPrefix.size(), link.size() - kPrefix.size() - 1));
}

Result<bool> ReadHeldSockets(int root, std::int32_t pid, std::span<const std::uint32_t> inodes,
                             std::vector<Held>& held) {
  held.clear();
  int refused = 0;
  const Result<bool> walked =
      WalkNumbers(root, ProcPath(pid).File("fd"), [&](std::int32_t fd, int directory) {
        char name[12];
        *std::to_chars(name, name + sizeof name - 1, fd).ptr = '\0';
        char link[32];  // a socket link fits; what is longer is none
        const ssize_t got = ::readlinkat(directory, name, link, sizeof link);
        if (got < 0) {
          if (IsRefused(errno)) refused = errno;
          return refused == 0;  // any other refusal: closed meanwhile
        }
        const auto inode = ParseSocketLink(std::string_view(link, static_cast<std::size_t>(got)));
        if (inode && std::ranges::binary_search(inodes, *inode)) held.push_back({*inode, fd});
        return true;
      });
  if (!walked) return walked.refusal();
  if (refused != 0) return Errno{refused};
  return true;
}

}  // namespace desk
