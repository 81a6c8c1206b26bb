// How a proc mount hides processes: the line of /proc/self/mountinfo (proc_pid_mountinfo(5)) and the mount
// options hidepid= and subset= (Documentation/filesystems/proc.rst, chapter 4).
#pragma once

#include <cstdint>
#include <string_view>

#include "core/result.h"

namespace desk {

// What the mount hides of other users' processes.
enum class Hiding : std::uint8_t {
  kNothing = 0,
  kContents = 1,    // hidepid=noaccess (1): the folders are there, but closed
  kInvisible = 2,   // hidepid=invisible (2): no folders, except for the group of gid= and who may ptrace
  kPtraceable = 4,  // hidepid=ptraceable (4): no folders, except for who may ptrace
};

struct ProcMount {
  Hiding hiding = Hiding::kNothing;
  // subset=pid: the process folders only, no /proc/sys.
  bool only_pids = false;
};

// The mount with this id. ENOENT when no line has it, EMEDIUMTYPE when it is not a proc, EBADMSG for a
// malformed line or an option value of a newer kernel.
Result<ProcMount> ParseProcMount(std::string_view text, std::uint64_t mount_id);

// The mount that the root directory lies in, from the root's own mountinfo.
Result<ProcMount> ReadProcMount(int root);

}  // namespace desk
