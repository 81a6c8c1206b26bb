// Emits the instructions that write the TaskRecord of one task, for every program that writes such records:
// the one description of where the kernel keeps each field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "bpf/assembler.h"
#include "bpf/btf.h"
#include "bpf/task_record.h"
#include "bpf/type_walk.h"

namespace desk::bpf {

class RecordWriter {
 public:
  // Where the record lies: `offset` behind `base`, which calls must keep.
  struct Target {
    Register base;
    std::int32_t offset;
  };
  // The task that is written; set before Write. kInner and kKey are used by Write, r7 is free.
  static constexpr Register kTask = Register::r6;
  static constexpr Register kInner = Register::r8;
  static constexpr Register kKey = Register::r9;

  RecordWriter(const Btf& btf, Reading reading, TypeWalk& walk, Assembler& code, Target target);

  std::uint32_t task_type() const { return task_; }
  // Whether Cast emits anything. Since 6.2 the verifier has trusted pointers, and searches all names of the
  // kernel's BTF for each member loaded from one, a millisecond each time. A cast, which costs nothing at run
  // time, removes the trust, and gives computed addresses a type.
  bool casts() const { return cast_.has_value(); }
  // `pointer` becomes a pointer to `type` for plain loads; r0 to r5 are lost.
  void Cast(Register pointer, std::uint32_t type);

  // Writes every byte of the record; a field behind a null pointer is 0.
  void Write();
  // FACT_* bits of the fields that this kernel's configuration provides, after Write.
  std::uint16_t facts() const { return facts_; }

 private:
  std::int32_t OffsetOf(std::size_t field) const { return target_.offset + static_cast<std::int32_t>(field); }
  void Keep(std::size_t field, Register from, std::uint32_t bytes);
  void Copy(const Access& access, Register base, std::size_t field, std::uint32_t bytes);
  void Field(std::uint32_t type, const char* path, Register base, std::size_t field, std::uint32_t bytes);
  bool FieldIfKnown(std::uint32_t type, const char* path, Register base, std::size_t field,
                    std::uint32_t bytes);
  std::uint32_t Enter(const char* path, Label null);
  void Mix(std::uint32_t type, const char* path, Register base);

  void Identity();
  void Credentials();
  void Threads();
  void Terminal(std::uint32_t signal, Label null);
  void PidNamespace();
  void Namespaces();
  void Changes();

  TypeWalk& walk_;
  Assembler& code_;
  const Target target_;
  const std::uint32_t task_;
  std::optional<std::uint32_t> cast_;
  std::uint16_t facts_ = 0;
};

}  // namespace desk::bpf
