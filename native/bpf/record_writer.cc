#include "bpf/record_writer.h"

#include <algorithm>

namespace desk::bpf {
namespace {

using enum Register;

// Odd, so that the multiplication is reversible.
constexpr std::int32_t kKeyFactor = 0x5BD1E995;
// MAX_PID_NS_LEVEL of linux/pid_namespace.h, as a mask: the verifier requires a bound.
constexpr std::int32_t kMostLevels = 31;

}  // namespace

RecordWriter::RecordWriter(const Btf& btf, Reading reading, TypeWalk& walk, Assembler& code, Target target)
    : walk_(walk), code_(code), target_(target), task_(walk.Type(Kind::kStruct, "task_struct")) {
  const Result<std::uint32_t> cast = btf.Find(Kind::kFunction, "bpf_rdonly_cast");
  if (cast && reading == Reading::kDirect) cast_ = *cast;
}

void RecordWriter::Cast(Register pointer, std::uint32_t type) {
  if (!cast_) return;
  code_.Move(r1, pointer);
  code_.Set(r2, static_cast<std::int32_t>(type));
  code_.CallKernel(*cast_);
  code_.Move(pointer, r0);
}

void RecordWriter::Write() {
  code_.Set(kKey, 0);
  // Fields behind a null pointer stay 0.
  for (std::size_t at = 0; at < sizeof(TaskRecord); at += 8)
    code_.StoreConstant(target_.base, OffsetOf(at), 0, 8);
  Identity();
  Credentials();
  Threads();
  PidNamespace();
  Namespaces();
  Changes();
}

void RecordWriter::Keep(std::size_t field, Register from, std::uint32_t bytes) {
  code_.StoreTo(target_.base, OffsetOf(field), from, bytes);
}
void RecordWriter::Copy(const Access& access, Register base, std::size_t field, std::uint32_t bytes) {
  const Label null = code_.NewLabel();
  code_.Follow(r0, base, access, null);
  Keep(field, r0, bytes);
  code_.Place(null);
}
// A member at `base`, which points at `type`, into a field of the record.
void RecordWriter::Field(std::uint32_t type, const char* path, Register base, std::size_t field,
                         std::uint32_t bytes) {
  const Access access = walk_.Need(type, path);
  if (!access.loads.empty()) Copy(access, base, field, bytes);
}
bool RecordWriter::FieldIfKnown(std::uint32_t type, const char* path, Register base, std::size_t field,
                                std::uint32_t bytes) {
  const auto access = walk_.Find(type, path);
  if (access) Copy(*access, base, field, bytes);
  return access.has_value();
}
// The pointer at `path` of the task into kInner; the type it points at.
std::uint32_t RecordWriter::Enter(const char* path, Label null) {
  const Access access = walk_.Need(task_, path);
  code_.Follow(kInner, kTask, access, null);
  code_.JumpIf(Compare::kEqual, kInner, 0, null);
  return access.type;
}
// Adds a number behind `base` to the change key, when the kernel has it.
void RecordWriter::Mix(std::uint32_t type, const char* path, Register base) {
  const auto access = walk_.Find(type, path);
  if (!access) return;
  const Label null = code_.NewLabel();
  code_.Compute(Alu::kMultiply, kKey, kKeyFactor);
  code_.Follow(r0, base, *access, null);
  code_.Compute(Alu::kAdd, kKey, r0);
  code_.Place(null);
}

void RecordWriter::Identity() {
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
  code_.CopyBytes(target_.base, OffsetOf(offsetof(TaskRecord, comm)), kTask, comm.loads[0].offset,
                  std::min(comm.loads[0].bytes, kCommBytes));
}

// /proc shows the objective credentials (fs/proc/array.c, task_state and task_cap).
void RecordWriter::Credentials() {
  const Label null = code_.NewLabel();
  const std::uint32_t cred = Enter("real_cred", null);
  Field(cred, "uid", kInner, offsetof(TaskRecord, uid), 4);
  Field(cred, "euid", kInner, offsetof(TaskRecord, euid), 4);
  Field(cred, "cap_effective", kInner, offsetof(TaskRecord, cap_eff), 8);
  Field(cred, "cap_bset", kInner, offsetof(TaskRecord, cap_bnd), 8);
  if (FieldIfKnown(cred, "user_ns.ns.inum", kInner, offsetof(TaskRecord, ns_user), 4)) facts_ |= kFactNsUser;
  // Each set of credentials has its own blob: the address changes with the label.
  Mix(cred, "security", kInner);
  code_.Place(null);
}

void RecordWriter::Threads() {
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
  Terminal(signal, null);
  code_.Place(null);
}

// tty_devnum of linux/tty.h; kInner is the signal_struct, of type `signal`.
void RecordWriter::Terminal(std::uint32_t signal, Label null) {
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
    code_.LoadFrom(r1, target_.base, OffsetOf(offsetof(TaskRecord, tty)), 4);
    code_.Compute(Alu::kAdd, r0, r1);
    Keep(offsetof(TaskRecord, tty), r0, 4);
  };
  add(major, kMinorBits);
  add(minor, 0);
  add(index, 0);
}

// ns_of_pid of linux/pid.h: the namespace at the pid's own level, an index that is only known at run time.
void RecordWriter::PidNamespace() {
  facts_ |= kFactNsPid;
  const Label done = code_.NewLabel();
  const std::uint32_t pid = Enter("thread_pid", done);
  const Access level = walk_.Need(pid, "level");
  const Access upid = walk_.Need(pid, "numbers[0]");
  const Access space = walk_.Need(upid.type, "ns");
  const Access inum = walk_.Need(space.type, "ns.inum");
  if (walk_.error() != 0) return;
  code_.Follow(r0, kInner, level, done);
  Keep(offsetof(TaskRecord, level), r0, 1);
  code_.JumpIf(Compare::kEqual, r0, 0, done);
  code_.Compute(Alu::kAnd, r0, kMostLevels);
  code_.Compute(Alu::kMultiply, r0, static_cast<std::int32_t>(upid.loads[0].bytes));
  code_.Compute(Alu::kAdd, kInner, r0);
  if (casts()) {
    // A cast takes any pointer: the offset of the array, too, must be in it.
    code_.Compute(Alu::kAdd, kInner, static_cast<std::int32_t>(upid.loads[0].offset));
    Cast(kInner, upid.type);
    code_.Follow(kInner, kInner, space, done);
    code_.Follow(r0, kInner, inum, done);
  } else {
    // Not a typed pointer: only the helper may read there.
    code_.ProbeRead(Assembler::kScratch, kInner, upid.loads[0].offset + space.loads[0].offset, 8);
    code_.LoadFrom(kInner, fp, Assembler::kScratch, 8);
    code_.ProbeRead(Assembler::kScratch, kInner, inum.loads[0].offset, inum.loads[0].bytes);
    code_.LoadFrom(r0, fp, Assembler::kScratch, 4);
  }
  Keep(offsetof(TaskRecord, ns_pid), r0, 4);
  code_.Place(done);
}

void RecordWriter::Namespaces() {
  const Label null = code_.NewLabel();
  const std::uint32_t proxy = Enter("nsproxy", null);
  if (FieldIfKnown(proxy, "mnt_ns.ns.inum", kInner, offsetof(TaskRecord, ns_mnt), 4)) facts_ |= kFactNsMnt;
  if (FieldIfKnown(proxy, "net_ns.ns.inum", kInner, offsetof(TaskRecord, ns_net), 4)) facts_ |= kFactNsNet;
  code_.Place(null);
}

// Everything that changes with the texts under /proc (executable, control group, label).
void RecordWriter::Changes() {
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

}  // namespace desk::bpf
