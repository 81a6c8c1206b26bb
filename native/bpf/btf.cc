#include "bpf/btf.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "core/text.h"

namespace desk::bpf {
namespace {

constexpr Errno kMalformed{EBADMSG};
constexpr std::uint16_t kMagic = 0xEB9F;
constexpr std::uint32_t kHeaderBytes = 24;
// Bits of btf_type.info that have a meaning: count of members, kind, kind flag.
constexpr std::uint32_t kCountMask = 0xFFFF;
constexpr std::uint32_t kKnownInfo = 0x9F00FFFF;
constexpr int kMostModifiers = 32;

// Bytes after the common header of a type: a fixed part and one per member. -1 = an unknown kind.
struct Tail {
  int fixed = -1;
  int each = 0;
};
using Tails = std::array<Tail, 32>;
constexpr Tails kTails = [] {
  Tails tails{};
  const auto set = [&tails](Kind kind, int fixed, int each) {
    tails[static_cast<std::size_t>(kind)] = {fixed, each};
  };
  set(Kind::kInt, 4, 0);
  set(Kind::kArray, 12, 0);
  set(Kind::kStruct, 0, 12);
  set(Kind::kUnion, 0, 12);
  set(Kind::kEnum, 0, 8);
  set(Kind::kPrototype, 0, 8);
  set(Kind::kVariable, 4, 0);
  set(Kind::kSection, 0, 12);
  set(Kind::kDeclarationTag, 4, 0);
  set(Kind::kEnum64, 0, 12);
  for (const Kind kind : {Kind::kPointer, Kind::kForward, Kind::kTypedef, Kind::kVolatile, Kind::kConst,
                          Kind::kRestrict, Kind::kFunction, Kind::kFloat, Kind::kTypeTag})
    set(kind, 0, 0);
  return tails;
}();

std::uint32_t WordAt(std::span<const std::uint8_t> bytes, std::size_t offset) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof word);
  return word;
}

constexpr std::uint32_t KindBits(std::uint32_t info) { return info >> 24 & 0x1F; }

struct Walked {
  std::vector<std::uint32_t> offsets;
  int error = 0;
  // The unknown kind that stopped the walk, with EOPNOTSUPP.
  std::uint32_t unknown = 0;
};

// Offsets of the types, which fill the section completely.
Walked WalkTypes(std::span<const std::uint8_t> types, std::size_t strings, const Tails& tails) {
  Walked walked;
  const std::uint64_t end = types.size();
  constexpr std::uint64_t kHead = 12;
  walked.offsets.reserve(end / 24);
  const auto stop = [&walked](int error) {
    walked.error = error;
    return walked;
  };
  for (std::uint64_t at = 0; at < end;) {
    if (end - at < kHead || WordAt(types, at) >= strings) return stop(EBADMSG);
    walked.offsets.push_back(static_cast<std::uint32_t>(at));
    const std::uint32_t info = WordAt(types, at + 4);
    const Tail tail = tails[KindBits(info)];
    if ((info & ~kKnownInfo) != 0) return stop(EOPNOTSUPP);
    if (tail.fixed < 0) {
      walked.unknown = KindBits(info);
      return stop(EOPNOTSUPP);
    }
    at += kHead + static_cast<std::uint64_t>(tail.fixed) +
          std::uint64_t{info & kCountMask} * static_cast<std::uint64_t>(tail.each);
    if (at > end) return stop(EBADMSG);
  }
  return walked;
}

// A newer kernel may have one more kind, of unknown length. Only with the right length everything after it is
// valid: if all lengths for which it is give the same offsets, those are used.
Walked WalkAround(std::span<const std::uint8_t> types, std::size_t strings, std::uint32_t unknown) {
  Walked found{.offsets = {}, .error = EOPNOTSUPP, .unknown = unknown};
  constexpr std::array<int, 6> kLengths{0, 4, 8, 12, 16, 20};
  for (const int fixed : kLengths) {
    for (const int each : kLengths) {
      Tails tails = kTails;
      tails[unknown] = {fixed, each};
      Walked walked = WalkTypes(types, strings, tails);
      if (walked.error != 0 || walked.offsets == found.offsets) continue;
      if (found.error == 0) return {.offsets = {}, .error = EOPNOTSUPP, .unknown = unknown};
      found = std::move(walked);
    }
  }
  return found;
}

constexpr std::uint32_t kMemberBytes = 12;
// Most members searched for one path: task_struct has some 300; malicious types must not cost more.
constexpr std::uint32_t kMostMembers = 100'000;

// Whether a number of so many bytes can be loaded by one instruction.
constexpr bool Loadable(std::uint64_t bytes) { return bytes <= 8 && std::has_single_bit(bytes); }

}  // namespace

std::uint32_t Btf::Word(std::uint32_t offset) const { return WordAt(types_, offset); }

Result<Btf> Btf::Parse(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kHeaderBytes || bytes.size() > kMostBtfBytes) return kMalformed;
  std::uint16_t magic = 0;
  std::memcpy(&magic, bytes.data(), sizeof magic);
  constexpr std::uint8_t kVersion = 1;
  if (magic != kMagic || bytes[2] != kVersion) return kMalformed;
  const std::uint32_t header = WordAt(bytes, 4);
  if (header < kHeaderBytes || header > bytes.size()) return kMalformed;
  const auto section = [&](std::size_t at) {
    const std::uint64_t begin = std::uint64_t{header} + WordAt(bytes, at);
    const std::uint64_t size = WordAt(bytes, at + 4);
    const bool inside = begin + size <= bytes.size();
    return inside ? bytes.subspan(begin, size) : std::span<const std::uint8_t>();
  };
  Btf btf;
  btf.types_ = section(8);
  btf.strings_ = section(16);
  // The first string is empty, the last one is terminated.
  if (btf.types_.empty() || btf.strings_.empty()) return kMalformed;
  if (btf.strings_.front() != 0 || btf.strings_.back() != 0) return kMalformed;

  Walked walked = WalkTypes(btf.types_, btf.strings_.size(), kTails);
  if (walked.unknown != 0) walked = WalkAround(btf.types_, btf.strings_.size(), walked.unknown);
  if (walked.error != 0) return Errno{walked.error};
  btf.offsets_ = std::move(walked.offsets);
  return btf;
}

Result<Btf::Type> Btf::At(std::uint32_t id) const {
  if (id == 0) return Type{};
  if (id > offsets_.size()) return kMalformed;
  const std::uint32_t at = offsets_[id - 1];
  const std::uint32_t info = Word(at + 4);
  return Type{.offset = at,
              .name = Word(at),
              .kind = static_cast<Kind>(KindBits(info)),
              .flag = info >> 31 != 0,
              .count = info & kCountMask,
              .value = Word(at + 8)};
}

Result<std::string_view> Btf::NameAt(std::uint32_t offset) const {
  if (offset >= strings_.size()) return kMalformed;
  // The section ends in a zero byte.
  return std::string_view(reinterpret_cast<const char*>(strings_.data()) + offset);
}

Result<std::uint32_t> Btf::Find(Kind kind, std::string_view name) const {
  for (std::size_t index = 0; index < offsets_.size(); ++index) {
    const std::uint32_t at = offsets_[index];
    if (KindBits(Word(at + 4)) != static_cast<std::uint32_t>(kind)) continue;
    const std::uint32_t place = Word(at);
    if (place >= strings_.size() || strings_.size() - place <= name.size()) continue;
    const std::uint8_t* const text = strings_.data() + place;
    if (std::memcmp(text, name.data(), name.size()) == 0 && text[name.size()] == 0)
      return static_cast<std::uint32_t>(index + 1);
  }
  return Errno{ENOENT};
}

Result<std::uint32_t> Btf::Strip(std::uint32_t id) const {
  for (int turn = 0; turn < kMostModifiers; ++turn) {
    const Result<Type> type = At(id);
    if (!type) return type.refusal();
    switch (type->kind) {
      case Kind::kTypedef:
      case Kind::kVolatile:
      case Kind::kConst:
      case Kind::kRestrict:
      case Kind::kTypeTag: id = type->value; continue;
      default: return id;
    }
  }
  return Errno{ELOOP};
}

Result<std::uint32_t> Btf::SizeOf(std::uint32_t id) const {
  std::uint64_t elements = 1;
  for (int turn = 0; turn < kMostNesting; ++turn) {
    const Result<std::uint32_t> bare = Strip(id);
    if (!bare) return bare.refusal();
    const Result<Type> type = At(*bare);
    if (!type) return type.refusal();
    std::uint64_t bytes = 0;
    switch (type->kind) {
      case Kind::kInt:
      case Kind::kEnum:
      case Kind::kEnum64:
      case Kind::kFloat:
      case Kind::kStruct:
      case Kind::kUnion: bytes = type->value; break;
      case Kind::kPointer: bytes = kPointerBytes; break;
      case Kind::kArray:
        id = Word(type->offset + kTypeBytes);
        elements *= Word(type->offset + kTypeBytes + 8);
        if (elements > std::numeric_limits<std::uint32_t>::max()) return kMalformed;
        continue;
      default: return kMalformed;
    }
    bytes *= elements;
    if (bytes > std::numeric_limits<std::uint32_t>::max()) return kMalformed;
    return static_cast<std::uint32_t>(bytes);
  }
  return Errno{ELOOP};
}

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
