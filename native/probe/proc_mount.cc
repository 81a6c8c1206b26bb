#include "probe/proc_mount.h"

#include <fcntl.h>

#include "core/mounts.h"
#include "core/read.h"
#include "core/text.h"

namespace desk {
namespace {

// Words since 5.8, numbers before (fs/proc/root.c, proc_show_options()).
bool TakeHidepid(std::string_view value, Hiding& hiding) {
  if (value == "off" || value == "0")
    hiding = Hiding::kNothing;
  else if (value == "noaccess" || value == "1")
    hiding = Hiding::kContents;
  else if (value == "invisible" || value == "2")
    hiding = Hiding::kInvisible;
  else if (value == "ptraceable" || value == "4")
    hiding = Hiding::kPtraceable;
  else
    return false;
  return true;
}

Result<ProcMount> ParseOptions(std::string_view options) {
  ProcMount mount;
  while (!options.empty()) {
    std::string_view value = TakeUntil(options, ',');
    const std::string_view name = TakeUntil(value, '=');
    if (name == "hidepid" && !TakeHidepid(value, mount.hiding)) return Errno{EBADMSG};
    if (name == "subset") {
      if (value != "pid") return Errno{EBADMSG};
      mount.only_pids = true;
    }
  }
  return mount;
}

}  // namespace

Result<ProcMount> ParseProcMount(std::string_view text, std::uint64_t mount_id) {
  const std::optional<MountLine> mount = FindMount(text, mount_id);
  if (!mount) return Errno{ENOENT};
  std::string_view line = mount->rest;
  const std::string_view type = TakeMountType(line);
  if (type.empty()) return Errno{EBADMSG};
  if (type != "proc") return Errno{EMEDIUMTYPE};
  TakeUntil(line, ' ');
  if (line.empty()) return Errno{EBADMSG};
  return ParseOptions(line);
}

Result<ProcMount> ReadProcMount(int root) {
  const Result<std::uint64_t> mount = MountOf(root, "", AT_EMPTY_PATH);
  if (!mount) return mount.refusal();
  return ReadFile(root, "self/mountinfo").AndThen([&](std::string_view text) {
    return ParseProcMount(text, *mount);
  });
}

}  // namespace desk
