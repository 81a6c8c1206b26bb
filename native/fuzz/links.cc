// Links of /proc/PID/fd and /proc/PID/ns: "socket:[12345]", "user:[4026531837]".
#include <string>

#include "fuzz/support/fuzz.h"
#include "probe/proc_fd.h"
#include "probe/proc_ns.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string_view link = TextOf(input);
  const auto inode = ParseSocketLink(link);
  if (inode) {
    Ensure(link.starts_with("socket:[") && link.ends_with(']'));
    Ensure(ParseSocketLink("socket:[" + std::to_string(*inode) + "]") == inode);
    Ensure(!ParseSocketLink(link.substr(0, link.size() - 1)));
    Ensure(!ParseSocketLink(" " + std::string(link)));
  }
  for (const std::string kind : {"user", "pid", "mnt", "net"}) {
    const Result<std::uint32_t> number = ParseNamespace(link, kind);
    if (!number) {
      Ensure(number.error() == EBADMSG);
      continue;
    }
    Ensure(*number != 0 && link.starts_with(kind) && !inode);
    const auto again = ParseNamespace(kind + ":[" + std::to_string(*number) + "]", kind);
    Ensure(again.ok() && *again == *number);
    Ensure(!ParseNamespace(link, "cgroup"));
  }
}

}  // namespace desk::fuzz
