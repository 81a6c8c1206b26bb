#include "bpf/btf.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

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
                          Kind::kRestrict, Kind::kFunction, Kind::kFloat, Kind::kTypeTag}) {
    set(kind, 0, 0);
  }
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
      case Kind::kTypeTag:
        id = type->value;
        continue;
      default:
        return id;
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
      case Kind::kUnion:
        bytes = type->value;
        break;
      case Kind::kPointer:
        bytes = kPointerBytes;
        break;
      case Kind::kArray:
        id = Word(type->offset + kTypeBytes);
        elements *= Word(type->offset + kTypeBytes + 8);
        if (elements > std::numeric_limits<std::uint32_t>::max()) return kMalformed;
        continue;
      default:
        return kMalformed;
    }
    bytes *= elements;
    if (bytes > std::numeric_limits<std::uint32_t>::max()) return kMalformed;
    return static_cast<std::uint32_t>(bytes);
  }
  return Errno{ELOOP};
}

}  // namespace desk::bpf
