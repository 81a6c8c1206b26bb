#include "bpf/assembler.h"

#include <bit>
#include <limits>

namespace desk::bpf {
namespace {

constexpr bool Fits(std::int64_t offset) {
  return offset >= std::numeric_limits<std::int16_t>::min() &&
         offset <= std::numeric_limits<std::int16_t>::max();
}

}  // namespace

void Assembler::Emit(std::uint8_t code, Register into, Register from, std::int32_t offset,
                     std::int32_t value) {
  if (!Fits(offset)) error_ = ERANGE;
  bpf_insn instruction{};
  instruction.code = code;
  instruction.dst_reg = static_cast<std::uint8_t>(into) & 0xF;
  instruction.src_reg = static_cast<std::uint8_t>(from) & 0xF;
  instruction.off = static_cast<std::int16_t>(offset);
  instruction.imm = value;
  instructions_.push_back(instruction);
}

void Assembler::EmitMemory(std::uint8_t operation, Register into, Register from, std::int32_t offset,
                           std::int32_t value, std::uint32_t bytes) {
  constexpr std::uint8_t kSizes[] = {BPF_B, BPF_H, BPF_W, BPF_DW};
  if (bytes > 8 || !std::has_single_bit(bytes)) {
    error_ = ERANGE;
    bytes = 1;
  }
  const std::uint8_t size = kSizes[std::countr_zero(bytes)];
  Emit(static_cast<std::uint8_t>(operation | BPF_MEM | size), into, from, offset, value);
}

void Assembler::LoadFrom(Register into, Register base, std::int32_t offset, std::uint32_t bytes) {
  EmitMemory(BPF_LDX, into, base, offset, 0, bytes);
}

void Assembler::StoreTo(Register base, std::int32_t offset, Register from, std::uint32_t bytes) {
  EmitMemory(BPF_STX, base, from, offset, 0, bytes);
}

void Assembler::StoreConstant(Register base, std::int32_t offset, std::int32_t value, std::uint32_t bytes) {
  EmitMemory(BPF_ST, base, Register::r0, offset, value, bytes);
}

void Assembler::FrameAddress(Register into, std::int32_t offset) {
  Move(into, Register::fp);
  Compute(Alu::kAdd, into, offset);
}

void Assembler::ProbeRead(std::int32_t frame_offset, Register base, std::uint32_t offset,
                          std::uint32_t bytes) {
  Move(Register::r3, base);
  Compute(Alu::kAdd, Register::r3, static_cast<std::int32_t>(offset));
  FrameAddress(Register::r1, frame_offset);
  Set(Register::r2, static_cast<std::int32_t>(bytes));
  Call(Helper::kProbeReadKernel);
}

void Assembler::Return(std::int32_t value) {
  Set(Register::r0, value);
  Exit();
}

void Assembler::Exit() { Emit(BPF_JMP | BPF_EXIT, Register::r0, Register::r0, 0, 0); }

void Assembler::Set64(Register into, std::uint64_t value) {
  // The one instruction of two slots: the second carries the upper half.
  Emit(BPF_LD | BPF_IMM | BPF_DW, into, Register::r0, 0, static_cast<std::int32_t>(value));
  Emit(0, Register::r0, Register::r0, 0, static_cast<std::int32_t>(value >> 32));
}

void Assembler::SetMap(Register into, int map) {
  Emit(BPF_LD | BPF_IMM | BPF_DW, into, static_cast<Register>(BPF_PSEUDO_MAP_FD), 0, map);
  Emit(0, Register::r0, Register::r0, 0, 0);
}

void Assembler::SetMapValue(Register into, int map, std::uint32_t offset) {
  Emit(BPF_LD | BPF_IMM | BPF_DW, into, static_cast<Register>(BPF_PSEUDO_MAP_VALUE), 0, map);
  Emit(0, Register::r0, Register::r0, 0, static_cast<std::int32_t>(offset));
}

void Assembler::Compute(Alu operation, Register into, Register from) {
  Emit(static_cast<std::uint8_t>(BPF_ALU64 | BPF_X | static_cast<std::uint8_t>(operation)), into, from, 0, 0);
}

void Assembler::Compute(Alu operation, Register into, std::int32_t value) {
  Emit(static_cast<std::uint8_t>(BPF_ALU64 | BPF_K | static_cast<std::uint8_t>(operation)), into,
       Register::r0, 0, value);
}

Label Assembler::NewLabel() {
  places_.push_back(-1);
  return Label(static_cast<std::uint32_t>(places_.size() - 1));
}

void Assembler::Place(Label label) {
  std::int64_t& place = places_[label.index_];
  if (place >= 0) error_ = EEXIST;
  place = static_cast<std::int64_t>(instructions_.size());
}

void Assembler::EmitJump(std::uint8_t code, Register left, Register right, std::int32_t value, Label target) {
  fixups_.push_back({static_cast<std::uint32_t>(instructions_.size()), target.index_});
  Emit(static_cast<std::uint8_t>(BPF_JMP | code), left, right, 0, value);
}

void Assembler::Jump(Label target) { EmitJump(BPF_JA, Register::r0, Register::r0, 0, target); }

void Assembler::JumpIf(Compare comparison, Register left, std::int32_t right, Label target) {
  EmitJump(static_cast<std::uint8_t>(BPF_K | static_cast<std::uint8_t>(comparison)), left, Register::r0,
           right, target);
}

void Assembler::JumpIf(Compare comparison, Register left, Register right, Label target) {
  EmitJump(static_cast<std::uint8_t>(BPF_X | static_cast<std::uint8_t>(comparison)), left, right, 0, target);
}

void Assembler::Call(Helper helper) {
  Emit(BPF_JMP | BPF_CALL, Register::r0, Register::r0, 0, static_cast<std::int32_t>(helper));
}

void Assembler::CallKernel(std::uint32_t function) {
  constexpr std::uint8_t kKernelFunction = 2;  // BPF_PSEUDO_KFUNC_CALL
  Emit(BPF_JMP | BPF_CALL, Register::r0, static_cast<Register>(kKernelFunction), 0,
       static_cast<std::int32_t>(function));
}

void Assembler::Fetch(Register into, Register base, std::uint32_t offset, std::uint32_t bytes) {
  if (reading_ == Reading::kDirect) return LoadFrom(into, base, static_cast<std::int32_t>(offset), bytes);
  // The helper zeroes its target when it cannot read.
  ProbeRead(kScratch, base, offset, bytes);
  LoadFrom(into, Register::fp, kScratch, bytes);
}

void Assembler::Follow(Register into, Register base, const Access& access, Label null) {
  Register from = base;
  for (std::size_t index = 0; index < access.loads.size(); ++index) {
    const Load& load = access.loads[index];
    Fetch(into, from, load.offset, load.bytes);
    from = into;
    if (index + 1 < access.loads.size()) JumpIf(Compare::kEqual, into, 0, null);
    if (load.bit_count == 0) continue;
    // Shifting up and down clears the bits above and below the bit field.
    const int above = 64 - load.bit_shift - load.bit_count;
    Compute(Alu::kShiftLeft, into, above);
    Compute(Alu::kShiftRight, into, above + load.bit_shift);
  }
}

void Assembler::CopyBytes(Register to, std::int32_t to_offset, Register base, std::uint32_t offset,
                          std::uint32_t bytes) {
  const bool helper = reading_ == Reading::kHelper;
  if (to_offset % 8 != 0 || bytes % 8 != 0 || (helper && to != Register::fp)) error_ = ERANGE;
  if (helper) return ProbeRead(to_offset, base, offset, bytes);
  for (std::uint32_t at = 0; at < bytes; at += 8) {
    LoadFrom(Register::r0, base, static_cast<std::int32_t>(offset + at), 8);
    StoreTo(to, to_offset + static_cast<std::int32_t>(at), Register::r0, 8);
  }
}

Result<std::vector<bpf_insn>> Assembler::Finish() {
  for (const Fixup& fixup : fixups_) {
    const std::int64_t place = places_[fixup.label];
    if (place < 0) return Errno{ENOENT};
    // Relative to the instruction after the jump.
    const std::int64_t distance = place - std::int64_t{fixup.at} - 1;
    if (!Fits(distance)) return Errno{ERANGE};
    instructions_[fixup.at].off = static_cast<std::int16_t>(distance);
  }
  if (error_ != 0) return Errno{error_};
  return std::move(instructions_);
}

}  // namespace desk::bpf
