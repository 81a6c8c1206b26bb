// /proc/PID/status and /proc/PID/task/TID/status, proc_pid_status(5).
#pragma once

#include <cstdint>
#include <string_view>

#include "core/result.h"

namespace desk {

struct Status {
  // Pid of the process that the thread belongs to. 0 = no such line.
  std::int32_t tgid = 0;
  std::uint32_t uid = 0;
  std::uint32_t euid = 0;
  std::uint32_t suid = 0;
  std::int32_t tracer = 0;
  std::uint32_t threads = 0;
  // Numbers of the NSpid line: more than one proves a pid namespace below that of the proc mount. 0 = no such
  // line.
  std::uint32_t pid_levels = 0;
  std::uint64_t cap_eff = 0;
  std::uint64_t cap_bnd = 0;
  bool no_new_privs = false;
  // 0 off, 1 strict, 2 filter.
  std::uint8_t seccomp = 0;
  bool operator==(const Status&) const = default;
};

// EBADMSG when a required line is missing or malformed: a truncated file must not be taken for an unconfined
// process. Unknown lines are skipped; of duplicate lines the first counts.
Result<Status> ParseStatus(std::string_view text);
// `path` is relative to the root: "123/status" or "123/task/456/status".
Result<Status> ReadStatus(int root, const char* path);

}  // namespace desk
