// The program of the task iterator (Documentation/bpf/bpf_iterators.rst): for every thread one record of the
// facts of /proc/PID/stat, status and ns, built from the member offsets of the running kernel.
#pragma once

#include <linux/bpf.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bpf/assembler.h"
#include "bpf/btf.h"
#include "core/columns.h"
#include "core/result.h"

namespace desk::bpf {

// One thread, as the program writes it. Pids are those of the initial pid namespace.
struct TaskRecord {
  // Nanoseconds after boot, suspend included.
  std::uint64_t start_ns;
  std::uint64_t cap_eff;
  std::uint64_t cap_bnd;
  // Changes whenever the executable, its name, the security blob of the credentials or the control group do.
  std::uint64_t change_key;
  std::uint64_t css_set;
  char comm[kCommBytes];
  std::int32_t pid;
  std::int32_t tgid;
  std::int32_t ppid;
  std::uint32_t uid;
  std::uint32_t euid;
  std::uint32_t flags;
  // The kernel's own number: major << 20 | minor, 0 = none.
  std::uint32_t tty;
  std::uint32_t threads;
  std::int32_t tracer;
  std::uint32_t state;
  std::uint32_t exit_state;
  // 0 = the thread has left it (it is exiting).
  std::uint32_t ns_user;
  // Of the namespace at `level`; 0 at level 0, which is the initial one.
  std::uint32_t ns_pid;
  std::uint32_t ns_mnt;
  std::uint32_t ns_net;
  std::uint8_t seccomp;
  // Bit 0: no_new_privs (PFA_NO_NEW_PRIVS, linux/sched.h).
  std::uint8_t atomic_flags;
  // Pid namespaces below the initial one.
  std::uint8_t level;
  std::uint8_t unused;
};
static_assert(sizeof(TaskRecord) == 120 && alignof(TaskRecord) == 8);

struct TaskProgram {
  std::vector<bpf_insn> instructions;
  // What the program attaches to: the function bpf_iter_task.
  std::uint32_t attach_btf_id = 0;
  // Facts that this kernel's configuration provides: kFactStat always, kFactStatus unless it lacks seccomp,
  // the namespaces it has.
  std::uint16_t facts = 0;
};

// ENOENT when the kernel has no task iterator or lacks a required member, whose path is then in `missing`.
Result<TaskProgram> AssembleTaskProgram(const Btf& btf, Reading reading, std::string& missing);

}  // namespace desk::bpf
