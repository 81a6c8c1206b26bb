// Assembles eBPF instructions (Documentation/bpf/standardization/instruction-set.rst): labels, and loads that
// follow the kernel's types.
#pragma once

#include <linux/bpf.h>

#include <cstdint>
#include <vector>

#include "bpf/btf.h"
#include "core/result.h"

namespace desk::bpf {

// r0 result, r1 to r5 arguments (lost by a call), r6 to r9 kept by calls, fp the frame's end.
enum class Register : std::uint8_t { r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, fp };

// Operations of the class ALU64, BPF_* of linux/bpf.h.
enum class Alu : std::uint8_t {
  kAdd = 0x00,
  kMultiply = 0x20,
  kAnd = 0x50,
  kShiftLeft = 0x60,
  kShiftRight = 0x70,
  kMove = 0xB0,
};

// Unsigned comparisons, BPF_J* of linux/bpf.h.
enum class Compare : std::uint8_t {
  kEqual = 0x10,
  kGreaterOrEqual = 0x30,
  kNotEqual = 0x50,
};

// Helper functions by number, enum bpf_func_id.
enum class Helper : std::int32_t {
  kMapUpdate = 2,
  kMapDelete = 3,
  kKtimeNanoseconds = 5,
  kCurrentPidTgid = 14,
  kCurrentTask = 35,
  kProbeReadKernel = 113,
  kSeqWrite = 127,
  kRingBufferOutput = 130,
};

// How kernel memory behind typed pointers is read: by plain loads, which are allowed in programs of type
// TRACING and guarded against faults, or by bpf_probe_read_kernel.
enum class Reading : std::uint8_t { kDirect, kHelper };

class Label {
 private:
  friend class Assembler;
  explicit Label(std::uint32_t index) : index_(index) {}
  std::uint32_t index_;
};

class Assembler {
 public:
  explicit Assembler(Reading reading = Reading::kDirect) : reading_(reading) {}

  // Plain loads and stores of 1, 2, 4 or 8 bytes: context, stack, map values.
  void LoadFrom(Register into, Register base, std::int32_t offset, std::uint32_t bytes);
  void StoreTo(Register base, std::int32_t offset, Register from, std::uint32_t bytes);
  void StoreConstant(Register base, std::int32_t offset, std::int32_t value, std::uint32_t bytes);

  void Move(Register into, Register from) { Compute(Alu::kMove, into, from); }
  // Sign-extended to 64 bits.
  void Set(Register into, std::int32_t value) { Compute(Alu::kMove, into, value); }
  void Set64(Register into, std::uint64_t value);
  // The address of the frame at `offset`.
  void FrameAddress(Register into, std::int32_t offset);
  // Copies kernel memory at (base + offset) to the frame by bpf_probe_read_kernel; r0 to r5 are lost.
  void ProbeRead(std::int32_t frame_offset, Register base, std::uint32_t offset, std::uint32_t bytes);
  // The address of a map by its descriptor.
  void SetMap(Register into, int map);
  // The address of `offset` in the only value of an array map.
  void SetMapValue(Register into, int map, std::uint32_t offset);
  void Compute(Alu operation, Register into, Register from);
  void Compute(Alu operation, Register into, std::int32_t value);

  Label NewLabel();
  // Sets the label to the next instruction; once per label.
  void Place(Label label);
  void Jump(Label target);
  void JumpIf(Compare comparison, Register left, std::int32_t right, Label target);
  void JumpIf(Compare comparison, Register left, Register right, Label target);

  void Call(Helper helper);
  // Calls a function of the kernel proper (kfunc) by the BTF id of its FUNC.
  void CallKernel(std::uint32_t function);
  void Exit();
  // Ends the program with this result.
  void Return(std::int32_t value = 0);

  // Reads kernel memory at a typed pointer: the last load of an access may be 1, 2, 4 or 8 bytes, or a bit
  // field. Jumps to `null` when a pointer on the way is null; `base` itself is not checked. With
  // Reading::kHelper r0 to r5 are lost and `base` must be one of r6 to r9; the frame's lowest eight bytes,
  // from kScratch on, are used.
  void Follow(Register into, Register base, const Access& access, Label null);
  // Copies `bytes` bytes at (base + offset) to (to + to_offset), eight at a time: `to_offset` and `bytes` are
  // multiples of 8. With Reading::kHelper `to` must be the frame.
  void CopyBytes(Register to, std::int32_t to_offset, Register base, std::uint32_t offset,
                 std::uint32_t bytes);

  // Number of the next instruction.
  std::size_t position() const { return instructions_.size(); }

  // The finished program. ERANGE: a jump too far, an offset too large or a size that cannot be loaded;
  // ENOENT: a label without a place.
  Result<std::vector<bpf_insn>> Finish();

  static constexpr std::int32_t kScratch = -512;

 private:
  void Emit(std::uint8_t code, Register into, Register from, std::int32_t offset, std::int32_t value);
  void EmitMemory(std::uint8_t operation, Register into, Register from, std::int32_t offset,
                  std::int32_t value, std::uint32_t bytes);
  void EmitJump(std::uint8_t code, Register left, Register right, std::int32_t value, Label target);
  void Fetch(Register into, Register base, std::uint32_t offset, std::uint32_t bytes);

  struct Fixup {
    std::uint32_t at;
    std::uint32_t label;
  };
  Reading reading_;
  int error_ = 0;
  std::vector<bpf_insn> instructions_;
  // Index of the instruction each label names, -1 = none yet.
  std::vector<std::int64_t> places_;
  std::vector<Fixup> fixups_;
};

}  // namespace desk::bpf
