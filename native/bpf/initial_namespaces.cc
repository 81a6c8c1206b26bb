#include "bpf/initial_namespaces.h"

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "core/read.h"

namespace desk::bpf {
namespace {

// Inode numbers of the initial namespaces: linux/proc_ns.h, PROC_*_INIT_INO.
struct Initial {
  const char* link;
  std::string_view target;
  const char* name;
};
constexpr std::array<Initial, 3> kInitial{{
    {"/proc/self/ns/user", "user:[4026531837]", "user"},
    {"/proc/self/ns/pid", "pid:[4026531836]", "pid"},
    {"/proc/self/ns/time", "time:[4026531834]", "time"},
}};

}  // namespace

std::optional<Unavailable> OutsideInitialNamespaces() {
  for (const Initial& initial : kInitial) {
    const Result<std::string_view> target = ReadLink(AT_FDCWD, initial.link);
    // Kernels without that kind of namespace have no link; a missing pid link means that there is no /proc.
    if (target.error() == ENOENT && initial.name != std::string_view("pid")) continue;
    if (target && *target == initial.target) continue;
    return Unavailable{target ? EXDEV : target.error(), initial.name};
  }
  return std::nullopt;
}

}  // namespace desk::bpf
