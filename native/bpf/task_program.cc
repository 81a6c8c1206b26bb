#include "bpf/task_program.h"

#include <algorithm>
#include <cstddef>

#include "bpf/type_walk.h"

namespace desk::bpf {
namespace {

using enum Register;

constexpr std::int32_t kRecord = -static_cast<std::int32_t>(sizeof(TaskRecord));
// Registers that survive helper calls.
constexpr Register kTask = r6;
constexpr Register kSeq = r7;
constexpr Register kInner = r8;
constexpr Register kKey = r9;
// Odd, so that the multiplication is reversible.
constexpr std::int32_t kKeyFactor = 0x5BD1E995;
// MAX_PID_NS_LEVEL of linux/pid_namespace.h, as a mask: the verifier requires a bound.
constexpr std::int32_t kMostLevels = 31;

class Writer {
 public:
  Writer(const Btf& btf, Reading reading)
      : btf_(btf),
        reading_(reading),
        walk_(btf),
        code_(reading),
        task_(walk_.Type(Kind::kStruct, "task_struct")) {}

  Result<TaskProgram> Write(std::string& missing) {
    TaskProgram program;
    program.attach_btf_id = walk_.Type(Kind::kFunction, "bpf_iter_task");
    const Label end = code_.NewLabel();
    Begin(end);
    Identity();
    Credentials();
    Threads();
    PidNamespace();
    Namespaces();
    Changes();
    code_.Move(r1, kSeq);
    code_.FrameAddress(r2, kRecord);
    code_.Set(r3, sizeof(TaskRecord));
    code_.Call(Helper::kSeqWrite);
    code_.Place(end);
    code_.Return();
    if (walk_.error() != 0) {
      missing = walk_.missing();
      return Errno{walk_.error()};
    }
    Result<std::vector<bpf_insn>> instructions = code_.Finish();
    if (!instructions) return instructions.refusal();
    program.instructions = std::move(instructions.value());
    program.facts = facts_;
    return program;
  }

 private:
  void Begin(Label end) {
    const std::uint32_t context = walk_.Type(Kind::kStruct, "bpf_iter__task");
    const Access seq = walk_.Need(context, "meta.seq");
    const Access task = walk_.Need(context, "task");
    if (seq.loads.size() != 2 || task.loads.size() != 1) return;
    // The last call of an iteration comes without a task.
    code_.LoadFrom(kTask, r1, static_cast<std::int32_t>(task.loads[0].offset), 8);
    code_.JumpIf(Compare::kEqual, kTask, 0, end);
    code_.LoadFrom(kSeq, r1, static_cast<std::int32_t>(seq.loads[0].offset), 8);
    code_.LoadFrom(kSeq, kSeq, static_cast<std::int32_t>(seq.loads[1].offset), 8);
    // Since 6.2 the verifier has trusted pointers, and searches all names of the kernel's BTF for each member
    // loaded from one, a millisecond each time. A cast, which costs nothing at run time, removes the trust.
    const auto cast = btf_.Find(Kind::kFunction, "bpf_rdonly_cast");
    if (cast && reading_ == Reading::kDirect) {
      code_.Move(r1, kTask);
      code_.Set(r2, static_cast<std::int32_t>(task_));
      code_.CallKernel(*cast);
      code_.Move(kTask, r0);
    }
    code_.Set(kKey, 0);
    // Fields behind a null pointer stay 0.
    for (std::size_t at = 0; at < sizeof(TaskRecord); at += 8)
      code_.StoreConstant(fp, kRecord + static_cast<std::int32_t>(at), 0, 8);
  }

  void Keep(std::size_t field, Register from, std::uint32_t bytes) {
    code_.StoreTo(fp, kRecord + static_cast<std::int32_t>(field), from, bytes);
  }
  void Copy(const Access& access, Register base, std::size_t field, std::uint32_t bytes) {
    const Label null = code_.NewLabel();
    code_.Follow(r0, base, access, null);
    Keep(field, r0, bytes);
    code_.Place(null);
  }
  // A member at `base`, which points at `type`, into a field of the record.
  void Field(std::uint32_t type, const char* path, Register base, std::size_t field, std::uint32_t bytes) {
    const Access access = walk_.Need(type, path);
    if (!access.loads.empty()) Copy(access, base, field, bytes);
  }
  bool FieldIfKnown(std::uint32_t type, const char* path, Register base, std::size_t field,
                    std::uint32_t bytes) {
    const auto access = walk_.Find(type, path);
    if (access) Copy(*access, base, field, bytes);
    return access.has_value();
  }
  // The pointer at `path` of the task into kInner; the type it points at.
  std::uint32_t Enter(const char* path, Label null) {
    const Access access = walk_.Need(task_, path);
    code_.Follow(kInner, kTask, access, null);
    code_.JumpIf(Compare::kEqual, kInner, 0, null);
    return access.type;
  }
  // Adds a number behind `base` to the change key, when the kernel has it.
  void Mix(std::uint32_t type, const char* path, Register base) {
    const auto access = walk_.Find(type, path);
    if (!access) return;
    const Label null = code_.NewLabel();
    code_.Compute(Alu::kMultiply, kKey, kKeyFactor);
    code_.Follow(r0, base, *access, null);
    code_.Compute(Alu::kAdd, kKey, r0);
    code_.Place(null);
  }

  void Identity() {
    facts_ |= kFactStat;
    Field(task_, "pid", kTask, offsetof(TaskRecord, pid), 4);
    Field(task_, "tgid", kTask, offsetof(TaskRecord, tgid), 4);
    Field(task_, "real_parent.tgid", kTask, offsetof(TaskRecord, ppid), 4);
    Field(task_, "flags", kTask, offsetof(TaskRecord, flags), 4);
    Field(task_, "start_boottime", kTask, offsetof(TaskRecord, start_ns), 8);
    // Named `state` before 5.14.
    if (!FieldIfKnown(task_, "__state", kTask, offsetof(TaskRecord, state), 4))
      Field(task_, "state", kTask, offsetof(TaskRecord, state), 4);
    Field(task_, "exit_state", kTask, offsetof(TaskRecord, exit_state), 4);
    const Access comm = walk_.Need(task_, "comm");
    if (comm.loads.size() != 1) return;
    code_.CopyToFrame(kRecord + static_cast<std::int32_t>(offsetof(TaskRecord, comm)), kTask,
                      comm.loads[0].offset, std::min(comm.loads[0].bytes, kCommBytes));
  }

  // /proc shows the objective credentials (fs/proc/array.c, task_state and task_cap).
  void Credentials() {
    const Label null = code_.NewLabel();
    const std::uint32_t cred = Enter("real_cred", null);
    Field(cred, "uid", kInner, offsetof(TaskRecord, uid), 4);
    Field(cred, "euid", kInner, offsetof(TaskRecord, euid), 4);
    Field(cred, "cap_effective", kInner, offsetof(TaskRecord, cap_eff), 8);
    Field(cred, "cap_bset", kInner, offsetof(TaskRecord, cap_bnd), 8);
    if (FieldIfKnown(cred, "user_ns.ns.inum", kInner, offsetof(TaskRecord, ns_user), 4))
      facts_ |= kFactNsUser;
    // Each set of credentials has its own blob: the address changes with the label.
    Mix(cred, "security", kInner);
    code_.Place(null);
  }

  void Threads() {
    // Only the lowest bit is used; the others are in the same byte.
    Field(task_, "atomic_flags", kTask, offsetof(TaskRecord, atomic_flags), 1);
    // Without it the status file lacks the line, too, and confinement is unknown.
    if (FieldIfKnown(task_, "seccomp.mode", kTask, offsetof(TaskRecord, seccomp), 1)) facts_ |= kFactStatus;
    const Label untraced = code_.NewLabel();
    const Access ptrace = walk_.Need(task_, "ptrace");
    code_.Follow(r0, kTask, ptrace, untraced);
    code_.JumpIf(Compare::kEqual, r0, 0, untraced);
    Field(task_, "parent.pid", kTask, offsetof(TaskRecord, tracer), 4);
    code_.Place(untraced);

    const Label null = code_.NewLabel();
    const std::uint32_t signal = Enter("signal", null);
    Field(signal, "nr_threads", kInner, offsetof(TaskRecord, threads), 4);
    // tty_devnum of linux/tty.h.
    const Access tty = walk_.Need(signal, "tty");
    code_.Follow(kInner, kInner, tty, null);
    code_.JumpIf(Compare::kEqual, kInner, 0, null);
    const Access major = walk_.Need(tty.type, "driver.major");
    const Access minor = walk_.Need(tty.type, "driver.minor_start");
    const Access index = walk_.Need(tty.type, "index");
    constexpr int kMinorBits = 20;
    // The sum is kept in the record: a helper call loses the other registers.
    const auto add = [&](const Access& access, int shift) {
      code_.Follow(r0, kInner, access, null);
      if (shift != 0) code_.Compute(Alu::kShiftLeft, r0, shift);
      code_.LoadFrom(r1, fp, kRecord + static_cast<std::int32_t>(offsetof(TaskRecord, tty)), 4);
      code_.Compute(Alu::kAdd, r0, r1);
      Keep(offsetof(TaskRecord, tty), r0, 4);
    };
    add(major, kMinorBits);
    add(minor, 0);
    add(index, 0);
    code_.Place(null);
  }

  // ns_of_pid of linux/pid.h: the namespace at the pid's own level, an index that is only known at run time.
  void PidNamespace() {
    facts_ |= kFactNsPid;
    const Label done = code_.NewLabel();
    const std::uint32_t pid = Enter("thread_pid", done);
    const Access level = walk_.Need(pid, "level");
    const Access first = walk_.Need(pid, "numbers[0].ns");
    const Access upid = walk_.Need(pid, "numbers[0]");
    const Access inum = walk_.Need(first.type, "ns.inum");
    if (walk_.error() != 0) return;
    code_.Follow(r0, kInner, level, done);
    Keep(offsetof(TaskRecord, level), r0, 1);
    code_.JumpIf(Compare::kEqual, r0, 0, done);
    code_.Compute(Alu::kAnd, r0, kMostLevels);
    code_.Compute(Alu::kMultiply, r0, static_cast<std::int32_t>(upid.loads[0].bytes));
    code_.Compute(Alu::kAdd, kInner, r0);
    // Not a typed pointer: only the helper may read there.
    code_.ProbeRead(Assembler::kScratch, kInner, first.loads[0].offset, first.loads[0].bytes);
    code_.LoadFrom(kInner, fp, Assembler::kScratch, 8);
    code_.ProbeRead(Assembler::kScratch, kInner, inum.loads[0].offset, inum.loads[0].bytes);
    code_.LoadFrom(r0, fp, Assembler::kScratch, 4);
    Keep(offsetof(TaskRecord, ns_pid), r0, 4);
    code_.Place(done);
  }
  void Namespaces() {
    const Label null = code_.NewLabel();
    const std::uint32_t proxy = Enter("nsproxy", null);
    if (FieldIfKnown(proxy, "mnt_ns.ns.inum", kInner, offsetof(TaskRecord, ns_mnt), 4)) facts_ |= kFactNsMnt;
    if (FieldIfKnown(proxy, "net_ns.ns.inum", kInner, offsetof(TaskRecord, ns_net), 4)) facts_ |= kFactNsNet;
    code_.Place(null);
  }

  // Everything that changes with the texts under /proc (executable, control group, label).
  void Changes() {
    Mix(task_, "self_exec_id", kTask);
    Mix(task_, "cgroups.dfl_cgrp.kn.id", kTask);
    const auto css_set = walk_.Find(task_, "cgroups");
    if (css_set) Copy(*css_set, kTask, offsetof(TaskRecord, css_set), 8);
    const auto file = walk_.Find(task_, "mm.exe_file");
    const Label null = code_.NewLabel();
    if (file) {
      code_.Follow(kInner, kTask, *file, null);
      code_.JumpIf(Compare::kEqual, kInner, 0, null);
      Mix(file->type, "f_inode.i_ino", kInner);
      Mix(file->type, "f_inode.i_nlink", kInner);
      // The hash of a name is salted by its folder; an unlinked name has left the hash table.
      Mix(file->type, "f_path.dentry.d_name.hash_len", kInner);
      Mix(file->type, "f_path.dentry.d_hash.pprev", kInner);
      code_.Place(null);
    }
    Keep(offsetof(TaskRecord, change_key), kKey, 8);
  }

  const Btf& btf_;
  const Reading reading_;
  TypeWalk walk_;
  Assembler code_;
  const std::uint32_t task_;
  std::uint16_t facts_ = 0;
};

}  // namespace

Result<TaskProgram> AssembleTaskProgram(const Btf& btf, Reading reading, std::string& missing) {
  return Writer(btf, reading).Write(missing);
}

}  // namespace desk::bpf
