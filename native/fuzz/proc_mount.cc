// Lines of /proc/PID/mountinfo: how a proc mount hides processes.
#include "probe/proc_mount.h"

#include <cerrno>
#include <string>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  Taker taker(input);
  const std::uint64_t id = taker.Take<std::uint8_t>();
  const std::string_view text = TextOf(taker.rest());
  const Result<ProcMount> mount = ParseProcMount(text, id);
  // Lines of other mounts change nothing.
  const std::string other = "1000 35 98:0 / /mnt rw,noatime master:1 - proc proc rw,hidepid=invisible\n";
  const Result<ProcMount> among = ParseProcMount(other + std::string(text), id);
  Ensure(among.error() == mount.error());
  if (!mount)
    return Ensure(mount.error() == ENOENT || mount.error() == EMEDIUMTYPE || mount.error() == EBADMSG);
  Ensure(among->hiding == mount->hiding && among->only_pids == mount->only_pids);
  if (mount->hiding != Hiding::kNothing) Ensure(text.find("hidepid=") != std::string_view::npos);
  if (mount->only_pids) Ensure(text.find("subset=") != std::string_view::npos);
}

}  // namespace desk::fuzz
