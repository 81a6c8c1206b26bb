#include "bpf/task_program.h"

#include <utility>

#include "bpf/record_writer.h"
#include "bpf/type_walk.h"

namespace desk::bpf {

using enum Register;

Result<TaskProgram> AssembleTaskProgram(const Btf& btf, Reading reading, std::string& missing) {
  constexpr auto kRecord = -static_cast<std::int32_t>(sizeof(TaskRecord));
  constexpr Register kTask = RecordWriter::kTask;
  constexpr Register kSeq = r7;

  TypeWalk walk(btf);
  Assembler code(reading);
  RecordWriter writer(btf, reading, walk, code, {.base = fp, .offset = kRecord});
  TaskProgram program;
  program.attach_btf_id = walk.Type(Kind::kFunction, "bpf_iter_task");
  const std::uint32_t context = walk.Type(Kind::kStruct, "bpf_iter__task");
  const Access seq = walk.Need(context, "meta.seq");
  const Access task = walk.Need(context, "task");
  if (seq.loads.size() == 2 && task.loads.size() == 1) {
    const Label end = code.NewLabel();
    // The last call of an iteration comes without a task.
    code.LoadFrom(kTask, r1, static_cast<std::int32_t>(task.loads[0].offset), 8);
    code.JumpIf(Compare::kEqual, kTask, 0, end);
    code.LoadFrom(kSeq, r1, static_cast<std::int32_t>(seq.loads[0].offset), 8);
    code.LoadFrom(kSeq, kSeq, static_cast<std::int32_t>(seq.loads[1].offset), 8);
    writer.Cast(kTask, writer.task_type());
    writer.Write();
    code.Move(r1, kSeq);
    code.FrameAddress(r2, kRecord);
    code.Set(r3, sizeof(TaskRecord));
    code.Call(Helper::kSeqWrite);
    code.Place(end);
    code.Return();
  }
  if (walk.error() != 0) {
    missing = walk.missing();
    return Errno{walk.error()};
  }
  Result<std::vector<bpf_insn>> instructions = code.Finish();
  if (!instructions) return instructions.refusal();
  program.instructions = std::move(instructions.value());
  program.facts = writer.facts();
  return program;
}

}  // namespace desk::bpf
