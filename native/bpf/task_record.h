// The record that a program writes for each thread: the facts of /proc/PID/stat, status and ns.
#pragma once

#include <cstdint>

#include "core/columns.h"

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

}  // namespace desk::bpf
