#include "bpf/file_program.h"

#include <sys/stat.h>

#include <cstddef>

#include "bpf/type_walk.h"

namespace desk::bpf {
namespace {

using enum Register;

constexpr Register kTask = r6;
constexpr Register kFile = r7;
constexpr Register kContext = r8;
constexpr std::int32_t kRecord = -16;

}  // namespace

Result<FileProgram> AssembleFileProgram(const Btf& btf, Reading reading, std::string& missing) {
  FileProgram program;
  TypeWalk walk(btf);
  program.attach_btf_id = walk.Type(Kind::kFunction, "bpf_iter_task_file");
  const std::uint32_t context = walk.Type(Kind::kStruct, "bpf_iter__task_file");
  const Access seq = walk.Need(context, "meta.seq");
  const Access task = walk.Need(context, "task");
  const Access file = walk.Need(context, "file");
  const Access fd = walk.Need(context, "fd");
  const Access tgid = walk.Need(walk.Type(Kind::kStruct, "task_struct"), "tgid");
  const std::uint32_t file_type = walk.Type(Kind::kStruct, "file");
  const Access mode = walk.Need(file_type, "f_inode.i_mode");
  const Access inode = walk.Need(file_type, "f_inode.i_ino");
  if (walk.error() != 0) {
    missing = walk.missing();
    return Errno{walk.error()};
  }

  Assembler code(reading);
  const Label end = code.NewLabel();
  const auto context_offset = [](const Access& access) {
    return static_cast<std::int32_t>(access.loads[0].offset);
  };
  code.Move(kContext, r1);
  // The last call of an iteration comes without task and file.
  code.LoadFrom(kTask, kContext, context_offset(task), 8);
  code.JumpIf(Compare::kEqual, kTask, 0, end);
  code.LoadFrom(kFile, kContext, context_offset(file), 8);
  code.JumpIf(Compare::kEqual, kFile, 0, end);
  code.Follow(r0, kFile, mode, end);
  code.Compute(Alu::kAnd, r0, S_IFMT);
  code.JumpIf(Compare::kNotEqual, r0, S_IFSOCK, end);
  // Socket inodes are numbered by get_next_ino, 32 bits.
  code.Follow(r0, kFile, inode, end);
  code.StoreTo(fp, kRecord + static_cast<std::int32_t>(offsetof(SocketRecord, inode)), r0, 4);
  code.Follow(r0, kTask, tgid, end);
  code.StoreTo(fp, kRecord + static_cast<std::int32_t>(offsetof(SocketRecord, pid)), r0, 4);
  code.LoadFrom(r0, kContext, context_offset(fd), 4);
  code.StoreTo(fp, kRecord + static_cast<std::int32_t>(offsetof(SocketRecord, fd)), r0, 4);
  code.LoadFrom(r1, kContext, context_offset(seq), 8);
  code.LoadFrom(r1, r1, static_cast<std::int32_t>(seq.loads[1].offset), 8);
  code.FrameAddress(r2, kRecord);
  code.Set(r3, sizeof(SocketRecord));
  code.Call(Helper::kSeqWrite);
  code.Place(end);
  code.Return();
  Result<std::vector<bpf_insn>> instructions = code.Finish();
  if (!instructions) return instructions.refusal();
  program.instructions = std::move(instructions.value());
  return program;
}

}  // namespace desk::bpf
