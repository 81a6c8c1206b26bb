// How a proc mount hides processes: the line of /proc/self/mountinfo (proc_pid_mountinfo(5)) and the mount
// options hidepid= and subset= (Documentation/filesystems/proc.rst, chapter 4).
#pragma once

#include <cstdint>
#include <string_view>

#include "core/result.h"

namespace desk {

// What a reader of the mount does not get to see of the processes of others.
enum class Hiding : std::uint8_t {
  kNothing = 0,
  kContents = 1,    // hidepid=noaccess (1): the folders stand there, closed
  kInvisible = 2,   // hidepid=invisible (2): no folder, but for the group of gid= and who may ptrace
  kPtraceable = 4,  // hidepid=ptraceable (4): no folder, but for who may ptrace
};

struct ProcMount {
  Hiding hiding = Hiding::kNothing;
  // subset=pid: the process folders only, no /proc/sys.
  bool only_pids = false;
};

// The mount with this id. ENOENT when no line has it, EMEDIUMTYPE when it is no proc, EBADMSG for a line that
// is none, or an option value of a kernel newer than this text.
Result<ProcMount> ParseProcMount(std::string_view text, std::uint64_t mount_id);

// The mount that the root directory lies in, asked of the root's own mountinfo.
Result<ProcMount> ReadProcMount(int root);

}  // namespace desk
