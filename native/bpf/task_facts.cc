#include "bpf/task_facts.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace desk::bpf {
namespace {

// Bits of task_struct's state, linux/sched.h; the same since 4.14 where they exist at all.
constexpr std::uint32_t kUninterruptible = 0x0002;
constexpr std::uint32_t kReported = 0x007F;  // TASK_REPORT
constexpr std::uint32_t kIdle = 0x0402;      // TASK_IDLE
constexpr std::uint32_t kReportIdle = 0x0080;
constexpr std::uint32_t kLockWait = 0x1000;  // TASK_RTLOCK_WAIT, since 5.16
constexpr std::uint32_t kFrozen = 0x8000;    // TASK_FROZEN, since 6.1
constexpr std::uint32_t kExitDead = 0x10;

// nsec_to_clock_t with the USER_HZ that all our architectures have, 100.
constexpr std::uint64_t kNanosecondsPerTick = 10'000'000;

// new_encode_dev of linux/kdev_t.h.
std::int32_t EncodeDevice(std::uint32_t device) {
  const std::uint32_t major = device >> 20, minor = device & 0xFFFFF;
  return static_cast<std::int32_t>((minor & 0xFF) | (major << 8) | ((minor & ~0xFFu) << 12));
}

// PROC_PID_INIT_INO, linux/proc_ns.h.
constexpr std::uint32_t kInitialPidNamespace = 0xEFFFFFFC;

}  // namespace

// __task_state_index of linux/sched.h and task_state_array of fs/proc/array.c.
char StateLetter(std::uint32_t state, std::uint32_t exit_state) {
  std::uint32_t reported = (state | exit_state) & kReported;
  if ((state & kIdle) == kIdle) reported = kReportIdle;
  if ((state & (kLockWait | kFrozen)) != 0) reported = kUninterruptible;
  constexpr char kLetters[] = "RSDTtXZPI";
  return kLetters[std::bit_width(reported)];
}

std::uint64_t TicksOf(std::uint64_t boottime_ns) { return boottime_ns / kNanosecondsPerTick; }

bool Dead(const TaskRecord& record) { return (record.exit_state & kExitDead) != 0; }

Stat StatOf(const TaskRecord& record) {
  Stat stat;
  stat.pid = record.tgid;
  const std::size_t length = ::strnlen(record.comm, kCommBytes - 1);
  std::copy_n(record.comm, length, stat.comm.data());
  stat.state = StateLetter(record.state, record.exit_state);
  stat.ppid = record.ppid;
  stat.tty = EncodeDevice(record.tty);
  stat.flags = record.flags;
  stat.threads = record.threads;
  stat.start = TicksOf(record.start_ns);
  return stat;
}

Status StatusOf(const TaskRecord& record) {
  return {.uid = record.uid,
          .euid = record.euid,
          .tracer = record.tracer,
          .threads = record.threads,
          .pid_levels = record.level + 1u,
          .cap_eff = record.cap_eff,
          .cap_bnd = record.cap_bnd,
          .no_new_privs = (record.atomic_flags & 1) != 0,
          .seccomp = record.seccomp};
}

ThreadFacts FactsOf(const TaskRecord& record, std::uint16_t provided) {
  ThreadFacts facts;
  if ((provided & kFactStatus) != 0) facts.status = desk::FactsOf(StatusOf(record));
  const auto namespace_of = [&](Fact fact, std::uint32_t number) -> std::optional<std::uint32_t> {
    if ((provided & fact) == 0 || number == 0) return std::nullopt;
    return number;
  };
  facts.ns_user = namespace_of(kFactNsUser, record.ns_user);
  facts.ns_pid = namespace_of(kFactNsPid, record.level == 0 ? kInitialPidNamespace : record.ns_pid);
  facts.ns_mnt = namespace_of(kFactNsMnt, record.ns_mnt);
  facts.ns_net = namespace_of(kFactNsNet, record.ns_net);
  return facts;
}

LinkOutcome LinksOf(const ThreadFacts& facts, std::uint16_t provided) {
  constexpr std::uint16_t kAll = kFactNsUser | kFactNsPid | kFactNsMnt | kFactNsNet;
  LinkOutcome outcome;
  if (facts.ns_user) outcome.seen |= kFactNsUser;
  if (facts.ns_pid) outcome.seen |= kFactNsPid;
  if (facts.ns_mnt) outcome.seen |= kFactNsMnt;
  if (facts.ns_net) outcome.seen |= kFactNsNet;
  outcome.refused = static_cast<std::uint16_t>(kAll & ~provided);
  outcome.gone = (outcome.seen | outcome.refused) != kAll;
  return outcome;
}

}  // namespace desk::bpf
