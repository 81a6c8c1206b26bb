#include "bpf/task_walk_program.h"

#include <cstddef>
#include <initializer_list>
#include <utility>

#include "bpf/assembler.h"
#include "bpf/record_writer.h"
#include "bpf/task_facts.h"
#include "bpf/type_walk.h"

namespace desk::bpf {
namespace {

using enum Register;

constexpr Register kVisited = RecordWriter::kTask;
constexpr Register kWritten = r7;
// Before a record is written, its registers are free.
constexpr Register kLeader = RecordWriter::kInner;
constexpr Register kTheirs = RecordWriter::kKey;

// Places in the frame: struct bpf_iter_task, struct bpf_iter_num, the process that is held, its pid.
constexpr std::int32_t kTasks = -24;
constexpr std::int32_t kNumbers = -32;
constexpr std::int32_t kHeld = -40;
constexpr std::int32_t kPid = -48;

// BPF_TASK_ITER_* of kernel/bpf/task_iter.c.
constexpr std::int32_t kAllThreads = 1;
constexpr std::int32_t kThreadsOfProcess = 2;

class Walk {
 public:
  Walk(const Btf& btf, WalkOver over)
      : over_(over),
        walk_(btf),
        writer_(btf, Reading::kDirect, walk_, code_, {.base = kWritten, .offset = 0}) {
    program_.records_at = sizeof(WalkHeader);
    if (over == WalkOver::kRequested) program_.records_at += kMostRequested * sizeof(std::int32_t);
  }

  Result<WalkProgram> Assemble(std::string& missing) {
    // Members are loaded from casts alone.
    static_cast<void>(walk_.Type(Kind::kFunction, "bpf_rdonly_cast"));
    CallKernel("bpf_rcu_read_lock");
    if (over_ == WalkOver::kAll) {
      code_.Set(r2, 0);
      Threads(kAllThreads);
    } else {
      Requested();
    }
    CallKernel("bpf_rcu_read_unlock");
    code_.Return();
    if (walk_.error() != 0) {
      missing = walk_.missing();
      return Errno{walk_.error()};
    }
    Result<std::vector<bpf_insn>> instructions = code_.Finish();
    if (!instructions) return instructions.refusal();
    program_.instructions = std::move(instructions.value());
    program_.facts = writer_.facts();
    return std::move(program_);
  }

 private:
  void CallKernel(const char* function) { code_.CallKernel(walk_.Type(Kind::kFunction, function)); }
  // The address of `offset` in the map's value; For sets the map.
  void InMap(Register into, std::size_t offset) {
    code_.SetMapValue(into, 0, static_cast<std::uint32_t>(offset));
  }

  // The threads of each requested process. The id of a thread, and an unused one, give no record.
  void Requested() {
    const Label each = code_.NewLabel(), release = code_.NewLabel(), done = code_.NewLabel();
    code_.FrameAddress(r1, kNumbers);
    code_.Set(r2, 0);
    InMap(r3, offsetof(WalkHeader, requested));
    code_.LoadFrom(r3, r3, 0, 8);
    CallKernel("bpf_iter_num_new");
    code_.Place(each);
    code_.FrameAddress(r1, kNumbers);
    CallKernel("bpf_iter_num_next");
    code_.JumpIf(Compare::kEqual, r0, 0, done);
    code_.LoadFrom(r2, r0, 0, 4);
    code_.JumpIf(Compare::kGreaterOrEqual, r2, kMostRequested, done);
    code_.Compute(Alu::kMultiply, r2, sizeof(std::int32_t));
    InMap(r1, sizeof(WalkHeader));
    code_.Compute(Alu::kAdd, r1, r2);
    code_.LoadFrom(r1, r1, 0, 4);
    code_.StoreTo(fp, kPid, r1, 8);
    CallKernel("bpf_task_from_pid");
    code_.JumpIf(Compare::kEqual, r0, 0, each);
    code_.StoreTo(fp, kHeld, r0, 8);
    code_.Move(kVisited, r0);
    writer_.Cast(kVisited, writer_.task_type());
    code_.Follow(r1, kVisited, walk_.Need(writer_.task_type(), "tgid"), release);
    code_.LoadFrom(r2, fp, kPid, 8);
    code_.JumpIf(Compare::kNotEqual, r1, r2, release);
    code_.LoadFrom(r2, fp, kHeld, 8);
    Threads(kThreadsOfProcess);
    code_.Place(release);
    code_.LoadFrom(r1, fp, kHeld, 8);
    CallKernel("bpf_task_release");
    code_.Jump(each);
    code_.Place(done);
    code_.FrameAddress(r1, kNumbers);
    CallKernel("bpf_iter_num_destroy");
  }

  // All threads from the task in r2 on.
  void Threads(std::int32_t which) {
    const Label next = code_.NewLabel(), done = code_.NewLabel();
    code_.FrameAddress(r1, kTasks);
    code_.Set(r3, which);
    CallKernel("bpf_iter_task_new");
    code_.Place(next);
    code_.FrameAddress(r1, kTasks);
    CallKernel("bpf_iter_task_next");
    code_.JumpIf(Compare::kEqual, r0, 0, done);
    code_.Move(kVisited, r0);
    writer_.Cast(kVisited, writer_.task_type());
    OneTask(next);
    code_.Jump(next);
    code_.Place(done);
    code_.FrameAddress(r1, kTasks);
    CallKernel("bpf_iter_task_destroy");
  }

  // Writes the record of kVisited, unless the leader covers it; jumps to `next` then.
  void OneTask(Label next) {
    const Label wanted = code_.NewLabel();
    // The walk over all begins with the idle task, which is not a process.
    code_.Follow(r0, kVisited, Member("tgid"), next);
    code_.JumpIf(Compare::kEqual, r0, 0, next);
    Increment(offsetof(WalkHeader, tasks));
    SkipEqual(wanted, next);
    code_.Place(wanted);
    Increment(offsetof(WalkHeader, records));
    program_.room_at = code_.position();
    code_.JumpIf(Compare::kGreaterOrEqual, r0, 1, next);
    code_.Compute(Alu::kMultiply, r0, sizeof(TaskRecord));
    InMap(kWritten, program_.records_at);
    code_.Compute(Alu::kAdd, kWritten, r0);
    writer_.Write();
  }

  // r0 is the number before.
  void Increment(std::size_t number) {
    InMap(r2, number);
    code_.LoadFrom(r0, r2, 0, 8);
    code_.Move(r1, r0);
    code_.Compute(Alu::kAdd, r1, 1);
    code_.StoreTo(r2, 0, r1, 8);
  }

  // Jumps to `wanted` when the task is a leader or may judge differently than its leader, else to `next`.
  void SkipEqual(Label wanted, Label next) {
    code_.Follow(kLeader, kVisited, Member("group_leader"), wanted);
    code_.JumpIf(Compare::kEqual, kLeader, kVisited, wanted);
    code_.Follow(r0, kLeader, Member("exit_state"), wanted);
    code_.JumpIf(Compare::kNotEqual, r0, 0, wanted);
    code_.Follow(r0, kLeader, Member("flags"), wanted);
    code_.Compute(Alu::kAnd, r0, static_cast<std::int32_t>(kPfExiting));
    code_.JumpIf(Compare::kNotEqual, r0, 0, wanted);
    code_.Follow(r0, kVisited, Member("exit_state"), wanted);
    code_.JumpIf(Compare::kNotEqual, r0, 0, next);
    for (const char* path : {"real_cred", "nsproxy", "seccomp.mode", "atomic_flags"}) {
      const auto access = walk_.Find(writer_.task_type(), path);
      if (!access) continue;
      code_.Follow(r0, kVisited, *access, wanted);
      code_.Follow(kTheirs, kLeader, *access, wanted);
      code_.JumpIf(Compare::kNotEqual, r0, kTheirs, wanted);
    }
    code_.Jump(next);
  }

  Access Member(const char* path) { return walk_.Need(writer_.task_type(), path); }

  const WalkOver over_;
  TypeWalk walk_;
  Assembler code_;
  RecordWriter writer_;
  WalkProgram program_;
};

}  // namespace

std::vector<bpf_insn> WalkProgram::For(int map, std::uint32_t room) const {
  std::vector<bpf_insn> made = instructions;
  for (bpf_insn& instruction : made)
    if (instruction.code == (BPF_LD | BPF_IMM | BPF_DW) && instruction.src_reg == BPF_PSEUDO_MAP_VALUE)
      instruction.imm = map;
  made[room_at].imm = static_cast<std::int32_t>(room);
  return made;
}

Result<WalkProgram> AssembleTaskWalk(const Btf& btf, WalkOver over, std::string& missing) {
  return Walk(btf, over).Assemble(missing);
}

}  // namespace desk::bpf
