// BTF, the kernel's own description of its types (Documentation/bpf/btf.rst): where members lie. A pure
// parser; invalid data is a refusal, never a read out of bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace desk::bpf {

// More than any kernel has.
inline constexpr std::size_t kMostBtfBytes = 256u << 20;

// BTF_KIND_*, linux/btf.h.
enum class Kind : std::uint8_t {
  kVoid = 0,
  kInt = 1,
  kPointer = 2,
  kArray = 3,
  kStruct = 4,
  kUnion = 5,
  kEnum = 6,
  kForward = 7,
  kTypedef = 8,
  kVolatile = 9,
  kConst = 10,
  kRestrict = 11,
  kFunction = 12,
  kPrototype = 13,
  kVariable = 14,
  kSection = 15,
  kFloat = 16,
  kDeclarationTag = 17,
  kTypeTag = 18,
  kEnum64 = 19,
};

// One load from memory: `bytes` bytes at `offset` behind the base or behind the pointer loaded before.
struct Load {
  std::uint32_t offset = 0;
  // Of the whole member: 8 for pointers, 1, 2, 4 or 8 for numbers and bit fields, else that of the aggregate.
  std::uint32_t bytes = 0;
  // A bit field of so many bits, the lowest at `bit_shift` of the little-endian number loaded; 0 = the whole.
  std::uint8_t bit_shift = 0;
  std::uint8_t bit_count = 0;
};

// How to read a member: every load but the last yields a pointer.
struct Access {
  std::vector<Load> loads;
  // Type of the member, modifiers and typedefs taken off; for a pointer, of what it points at.
  std::uint32_t type = 0;
};

class Btf {
 public:
  Btf() = default;
  // EBADMSG for bytes that are not BTF in this machine's byte order, EOPNOTSUPP for unknown kinds of type;
  // one unknown kind is skipped when only one length of it makes the rest valid. `bytes` must outlive the
  // Btf.
  static Result<Btf> Parse(std::span<const std::uint8_t> bytes);

  // Id of the first type of that kind and name; ENOENT when there is none.
  Result<std::uint32_t> Find(Kind kind, std::string_view name) const;
  // The way from a struct or union `type` along a path of member names: anonymous members are searched,
  // pointers are followed, `[2]` picks an element of an array: "thread_pid.numbers[0].nr". ENOENT when a
  // member is missing, EBADMSG or ELOOP when the types are invalid.
  Result<Access> Resolve(std::uint32_t type, std::string_view path) const;
  // Bytes a type takes, modifiers taken off.
  Result<std::uint32_t> SizeOf(std::uint32_t type) const;

 private:
  // Bytes of the common head of a type (struct btf_type), which its members follow.
  static constexpr std::uint32_t kTypeBytes = 12;
  static constexpr std::uint32_t kPointerBytes = sizeof(void*);
  static constexpr int kMostNesting = 16;

  struct Type {
    std::uint32_t offset = 0;
    std::uint32_t name = 0;
    Kind kind = Kind::kVoid;
    bool flag = false;
    std::uint32_t count = 0;
    // Size, or the id of another type, as the kind says.
    std::uint32_t value = 0;

    bool aggregate() const { return kind == Kind::kStruct || kind == Kind::kUnion; }
  };
  struct Member;
  Result<Type> At(std::uint32_t id) const;
  // The type behind typedefs, const, volatile, restrict and tags.
  Result<std::uint32_t> Strip(std::uint32_t id) const;
  Result<Member> FindMember(std::uint32_t id, std::string_view name, int depth, std::uint32_t& budget) const;
  Result<std::string_view> NameAt(std::uint32_t offset) const;
  std::uint32_t Word(std::uint32_t offset) const;

  std::span<const std::uint8_t> types_;
  std::span<const std::uint8_t> strings_;
  // Place of type id i + 1 in `types_`; id 0 is void.
  std::vector<std::uint32_t> offsets_;
};

}  // namespace desk::bpf
