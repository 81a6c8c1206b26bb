// The way along a path of member names.
#include <bit>
#include <limits>

#include "bpf/btf.h"
#include "core/text.h"

namespace desk::bpf {
namespace {

constexpr Errno kMalformed{EBADMSG};
constexpr std::uint32_t kMemberBytes = 12;
// Most members searched for one path: task_struct has some 300; malicious types must not cost more.
constexpr std::uint32_t kMostMembers = 100'000;

// Whether a number of so many bytes can be loaded by one instruction.
constexpr bool Loadable(std::uint64_t bytes) { return bytes <= 8 && std::has_single_bit(bytes); }

}  // namespace

struct Btf::Member {
  std::uint32_t type = 0;
  // From the start of the aggregate asked about.
  std::uint64_t bit_offset = 0;
  // 0 = no bit field.
  std::uint32_t bit_count = 0;
};

// NOLINTNEXTLINE(misc-no-recursion): no deeper than kMostNesting, no more members than the budget
Result<Btf::Member> Btf::FindMember(std::uint32_t id, std::string_view name, int depth,
                                    std::uint32_t& budget) const {
  const Result<Type> type = At(id);
  if (!type) return type.refusal();
  if (!type->aggregate()) return kMalformed;
  if (depth == kMostNesting) return Errno{ELOOP};
  for (std::uint32_t index = 0; index < type->count; ++index) {
    if (budget-- == 0) {
      budget = 0;
      return Errno{ELOOP};
    }
    const std::uint32_t at = type->offset + kTypeBytes + index * kMemberBytes;
    const Result<std::string_view> called = NameAt(Word(at));
    if (!called) return called.refusal();
    const std::uint32_t place = Word(at + 8);
    // With the kind flag the upper byte of the offset is the width of a bit field.
    Member member{.type = Word(at + 4),
                  .bit_offset = type->flag ? place & 0xFFFFFF : place,
                  .bit_count = type->flag ? place >> 24 : 0};
    if (!called->empty()) {
      if (*called == name) return member;
      continue;
    }
    const Result<std::uint32_t> inner = Strip(member.type);
    if (!inner) return inner.refusal();
    const Result<Type> nested = At(*inner);
    if (!nested) return nested.refusal();
    if (!nested->aggregate()) continue;  // padding: an unnamed bit field
    Result<Member> found = FindMember(*inner, name, depth + 1, budget);
    if (found) {
      found.value().bit_offset += member.bit_offset;
      return found;
    }
    if (found.error() != ENOENT) return found;
  }
  return Errno{ENOENT};
}

Result<Access> Btf::Resolve(std::uint32_t start, std::string_view path) const {
  Access access;
  std::uint32_t budget = kMostMembers;
  std::uint64_t bits = 0;
  std::uint32_t bit_count = 0;
  Result<std::uint32_t> bare = Strip(start);
  if (!bare) return bare.refusal();
  Result<Type> type = At(*bare);
  if (!type) return type.refusal();
  const auto step_to = [&](std::uint32_t id) -> int {
    bare = Strip(id);
    if (!bare) return bare.error();
    type = At(*bare);
    return type.error();
  };
  while (!path.empty()) {
    std::string_view index = TakeUntil(path, '.');
    const std::string_view name = TakeUntil(index, '[');
    if (type->kind == Kind::kPointer) {
      if (bits % 8 != 0 || bits / 8 > std::numeric_limits<std::int16_t>::max()) return kMalformed;
      access.loads.push_back({.offset = static_cast<std::uint32_t>(bits / 8), .bytes = kPointerBytes});
      bits = 0;
      if (const int error = step_to(type->value)) return Errno{error};
    }
    const Result<Member> member = FindMember(*bare, name, 0, budget);
    if (!member) return member.refusal();
    bits += member->bit_offset;
    bit_count = member->bit_count;
    if (const int error = step_to(member->type)) return Errno{error};
    if (index.empty()) continue;
    const auto element = ParseNumber<std::uint32_t>(TakeUntil(index, ']'));
    if (!element || type->kind != Kind::kArray) return kMalformed;
    const std::uint32_t elements = Word(type->offset + kTypeBytes + 8);
    // An array of length 0 or 1 at the end of a struct is longer than declared (pid.numbers).
    if (elements > 1 && *element >= elements) return kMalformed;
    if (const int error = step_to(Word(type->offset + kTypeBytes))) return Errno{error};
    const Result<std::uint32_t> bytes = SizeOf(*bare);
    if (!bytes) return bytes.refusal();
    bits += std::uint64_t{*element} * *bytes * 8;
  }
  const Result<std::uint32_t> bytes = SizeOf(*bare);
  if (!bytes) return bytes.refusal();
  Load last{.offset = 0, .bytes = *bytes};
  std::uint64_t byte = bits / 8;
  if (bit_count != 0 || bits % 8 != 0) {
    // A load of the declared type at its own alignment contains the whole bit field.
    if (!Loadable(*bytes)) return kMalformed;
    byte = bits / 8 / *bytes * *bytes;
    const std::uint64_t shift = bits - byte * 8;
    if (bit_count == 0 || shift + bit_count > std::uint64_t{*bytes} * 8) return kMalformed;
    last.bit_shift = static_cast<std::uint8_t>(shift);
    last.bit_count = static_cast<std::uint8_t>(bit_count);
  }
  // Offsets of instructions are signed 16 bits.
  if (byte > std::numeric_limits<std::int16_t>::max()) return kMalformed;
  last.offset = static_cast<std::uint32_t>(byte);
  access.loads.push_back(last);
  access.type = *bare;
  if (type->kind == Kind::kPointer) {
    if (const int error = step_to(type->value)) return Errno{error};
    access.type = *bare;
  }
  return access;
}

}  // namespace desk::bpf
