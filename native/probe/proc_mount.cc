#include "probe/proc_mount.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "core/read.h"
#include "core/text.h"

namespace desk {
namespace {

// The kernel writes words since 5.8 and wrote numbers before (fs/proc/root.c, proc_show_options()).
bool TakeHidepid(std::string_view value, Hiding& hiding) {
  if (value == "off" || value == "0") {
    hiding = Hiding::kNothing;
  } else if (value == "noaccess" || value == "1") {
    hiding = Hiding::kContents;
  } else if (value == "invisible" || value == "2") {
    hiding = Hiding::kInvisible;
  } else if (value == "ptraceable" || value == "4") {
    hiding = Hiding::kPtraceable;
  } else {
    return false;
  }
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
  while (!text.empty()) {
    // `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue`: six fields, then
    // optional ones up to a lone dash. The kernel writes blanks inside a path as \040.
    std::string_view line = TakeUntil(text, '\n');
    if (ParseNumber<std::uint64_t>(TakeUntil(line, ' ')) != mount_id) continue;
    for (int field = 0; field < 5; ++field) TakeUntil(line, ' ');
    while (!line.empty() && TakeUntil(line, ' ') != "-") {
    }
    const std::string_view type = TakeUntil(line, ' ');
    if (type.empty()) return Errno{EBADMSG};
    if (type != "proc") return Errno{EMEDIUMTYPE};
    TakeUntil(line, ' ');
    if (line.empty()) return Errno{EBADMSG};
    return ParseOptions(line);
  }
  return Errno{ENOENT};
}

Result<ProcMount> ReadProcMount(int root) {
  struct statx place {};
  if (::statx(root, "", AT_EMPTY_PATH, STATX_MNT_ID, &place) != 0) return Errno{errno};
  if ((place.stx_mask & STATX_MNT_ID) == 0) return Errno{EOPNOTSUPP};
  const Result<std::string_view> text = ReadFile(root, "self/mountinfo");
  if (!text) return text.refusal();
  return ParseProcMount(*text, place.stx_mnt_id);
}

}  // namespace desk
