#include "files/inflate.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace desk::files {
namespace {

constexpr unsigned kMostBits = 15;
constexpr std::size_t kLiterals = 288;
constexpr std::size_t kDistances = 30;
constexpr unsigned kEndOfBlock = 256;

// Bits, the lowest of each byte first.
class BitReader {
 public:
  explicit BitReader(std::string_view bytes) : bytes_(bytes) {}

  // Without taking them; at most 16. Zeros behind the end.
  unsigned Peek(unsigned count) {
    while (held_ < count) {
      if (at_ < bytes_.size())
        bits_ |= std::uint64_t{static_cast<unsigned char>(bytes_[at_++])} << held_;
      else
        missing_ += 8;
      held_ += 8;
    }
    return static_cast<unsigned>(bits_ & ((std::uint64_t{1} << count) - 1));
  }
  void Drop(unsigned count) {
    bits_ >>= count;
    held_ -= count;
  }
  unsigned Take(unsigned count) {
    const unsigned value = Peek(count);
    Drop(count);
    return value;
  }
  // What is left from the next whole byte on.
  std::string_view Rest() const { return bytes_.substr(at_ - (beyond() ? 0 : held_ - missing_) / 8); }
  // Goes on there, behind so many bytes.
  void Skip(std::size_t count) {
    bytes_ = Rest().substr(count);
    at_ = 0;
    bits_ = 0;
    held_ = 0;
    missing_ = 0;
  }
  // More was taken than there is.
  bool beyond() const { return missing_ > held_; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::uint64_t bits_ = 0;
  unsigned held_ = 0;
  // Of those held, zeros behind the end.
  unsigned missing_ = 0;
};

// A Huffman code by the lengths of its words (RFC 1951, 3.2.2).
class Code {
 public:
  // False where there are more words than bits allow. Words that are left out are errors where they occur.
  bool Build(std::span<const std::uint8_t> lengths) {
    std::array<unsigned, kMostBits + 1> count{};
    for (const std::uint8_t length : lengths) ++count[length];
    count[0] = 0;
    std::array<unsigned, kMostBits + 2> next{};
    bits_ = 1;
    for (unsigned length = 1; length <= kMostBits; ++length) {
      next[length + 1] = (next[length] + count[length]) << 1U;
      if (next[length] + count[length] > 1U << length) return false;
      if (count[length] > 0) bits_ = length;
    }
    table_.assign(std::size_t{1} << bits_, 0);
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      const unsigned length = lengths[symbol];
      if (length == 0) continue;
      // Words come with their first bit first.
      const unsigned word = Reversed(next[length]++, length);
      const auto entry = static_cast<std::uint16_t>(symbol << 4U | length);
      for (std::size_t at = word; at < table_.size(); at += std::size_t{1} << length) table_[at] = entry;
    }
    return true;
  }

  // Nothing for a word that is left out.
  std::optional<unsigned> Take(BitReader& bits) const {
    const unsigned entry = table_[bits.Peek(bits_)];
    if (entry == 0) return std::nullopt;
    bits.Drop(entry & 0xfU);
    return entry >> 4U;
  }

 private:
  static unsigned Reversed(unsigned word, unsigned length) {
    unsigned reversed = 0;
    for (unsigned at = 0; at < length; ++at) reversed |= (word >> at & 1U) << (length - 1 - at);
    return reversed;
  }

  unsigned bits_ = 1;
  // By the next bits: symbol and length of the word.
  std::vector<std::uint16_t> table_;
};

class Inflater {
 public:
  Inflater(std::string_view bytes, std::size_t most) : bits_(bytes), most_(most) {}

  // 0, EBADMSG or EFBIG.
  int Run() {
    for (bool last = false; !last;) {
      last = bits_.Take(1) != 0;
      const unsigned kind = bits_.Take(2);
      const int error = kind == 0 ? Stored() : kind == 1 ? Fixed() : kind == 2 ? Dynamic() : EBADMSG;
      if (error != 0) return error;
      if (bits_.beyond()) return EBADMSG;
    }
    return 0;
  }

  std::string& text() { return text_; }
  std::string_view Rest() const { return bits_.Rest(); }

 private:
  int Stored() {
    const std::string_view rest = bits_.Rest();
    if (rest.size() < 4) return EBADMSG;
    const auto word = [&](std::size_t at) {
      return static_cast<unsigned char>(rest[at]) |
             static_cast<unsigned>(static_cast<unsigned char>(rest[at + 1])) << 8U;
    };
    const std::size_t size = word(0);
    if ((word(0) ^ word(2)) != 0xffff || rest.size() - 4 < size) return EBADMSG;
    if (size > most_ - text_.size()) return EFBIG;
    text_.append(rest.substr(4, size));
    bits_.Skip(4 + size);
    return 0;
  }

  int Fixed() {
    std::array<std::uint8_t, kLiterals> lengths{};
    for (std::size_t at = 0; at < lengths.size(); ++at)
      lengths[at] = at < 144 ? 8 : at < 256 ? 9 : at < 280 ? 7 : 8;
    std::array<std::uint8_t, kDistances> distances{};
    distances.fill(5);
    if (!literals_.Build(lengths) || !distances_.Build(distances)) return EBADMSG;
    return Block();
  }

  int Dynamic() {
    constexpr std::array<std::uint8_t, 19> kOrder{16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                  11, 4,  12, 3, 13, 2, 14, 1, 15};
    const std::size_t literals = bits_.Take(5) + 257;
    const std::size_t distances = bits_.Take(5) + 1;
    const std::size_t count = bits_.Take(4) + 4;
    if (literals > kLiterals - 2 || distances > kDistances) return EBADMSG;
    std::array<std::uint8_t, kOrder.size()> of_lengths{};
    for (std::size_t at = 0; at < count; ++at)
      of_lengths[kOrder[at]] = static_cast<std::uint8_t>(bits_.Take(3));
    Code code;
    if (!code.Build(of_lengths)) return EBADMSG;
    std::array<std::uint8_t, kLiterals + kDistances> lengths{};
    for (std::size_t at = 0; at < literals + distances;) {
      const std::optional<unsigned> symbol = code.Take(bits_);
      if (!symbol || bits_.beyond()) return EBADMSG;
      if (*symbol < 16) {
        lengths[at++] = static_cast<std::uint8_t>(*symbol);
        continue;
      }
      // The last length again, or zeros.
      if (*symbol == 16 && at == 0) return EBADMSG;
      const std::uint8_t length = *symbol == 16 ? lengths[at - 1] : 0;
      const unsigned times = *symbol == 16   ? 3 + bits_.Take(2)
                             : *symbol == 17 ? 3 + bits_.Take(3)
                                             : 11 + bits_.Take(7);
      if (times > literals + distances - at) return EBADMSG;
      for (unsigned left = times; left > 0; --left) lengths[at++] = length;
    }
    const std::span<const std::uint8_t> all(lengths);
    if (!literals_.Build(all.first(literals)) || !distances_.Build(all.subspan(literals, distances)))
      return EBADMSG;
    return Block();
  }

  int Block() {
    constexpr std::array<std::uint16_t, 29> kLength{3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                                    15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                                    67, 83, 99, 115, 131, 163, 195, 227, 258};
    constexpr std::array<std::uint8_t, 29> kLengthBits{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                       2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    constexpr std::array<std::uint16_t, kDistances> kDistance{
        1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
        193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    for (;;) {
      const std::optional<unsigned> symbol = literals_.Take(bits_);
      if (!symbol || bits_.beyond()) return EBADMSG;
      if (*symbol == kEndOfBlock) return 0;
      if (*symbol < kEndOfBlock) {
        if (text_.size() == most_) return EFBIG;
        text_ += static_cast<char>(*symbol);
        continue;
      }
      const std::size_t at = *symbol - kEndOfBlock - 1;
      if (at >= kLength.size()) return EBADMSG;
      const std::size_t length = kLength[at] + bits_.Take(kLengthBits[at]);
      const std::optional<unsigned> word = distances_.Take(bits_);
      if (!word || *word >= kDistance.size()) return EBADMSG;
      const unsigned more = *word < 2 ? 0 : *word / 2 - 1;
      const std::size_t distance = kDistance[*word] + bits_.Take(more);
      if (distance > text_.size()) return EBADMSG;
      if (length > most_ - text_.size()) return EFBIG;
      // What is copied may be part of the copy.
      for (std::size_t left = length; left > 0; --left) text_ += text_[text_.size() - distance];
    }
  }

  BitReader bits_;
  const std::size_t most_;
  std::string text_;
  Code literals_;
  Code distances_;
};

constexpr std::array<std::uint32_t, 256> CrcTable() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1U ^ ((value & 1U) != 0 ? 0xedb88320U : 0);
    table[byte] = value;
  }
  return table;
}

std::uint32_t CrcOf(std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> kTable = CrcTable();
  std::uint32_t crc = 0xffffffff;
  for (const char byte : bytes) crc = crc >> 8U ^ kTable[(crc ^ static_cast<unsigned char>(byte)) & 0xffU];
  return ~crc;
}

std::uint32_t LittleWord(std::string_view bytes) {
  std::uint32_t word = 0;
  for (std::size_t at = 4; at-- > 0;) word = word << 8U | static_cast<unsigned char>(bytes[at]);
  return word;
}

// Takes the header off the front (RFC 1952, 2.3); false where it is none.
bool TakeHeader(std::string_view& rest) {
  constexpr std::string_view kStart("\x1f\x8b\x08", 3);
  if (rest.size() < 10 || !rest.starts_with(kStart)) return false;
  const auto flags = static_cast<unsigned char>(rest[3]);
  rest.remove_prefix(10);
  const auto drop = [&](std::size_t count) {
    const bool fits = count <= rest.size();
    rest.remove_prefix(std::min(count, rest.size()));
    return fits;
  };
  const bool more = (flags & 4U) != 0;
  if (more && rest.size() < 2) return false;
  const std::size_t size =
      more ? static_cast<unsigned char>(rest[0]) + 256U * static_cast<unsigned char>(rest[1]) : 0;
  if (more && !drop(2 + size)) return false;
  // A name, and a comment: each ends with a NUL.
  for (const unsigned flag : {8U, 16U})
    if ((flags & flag) != 0 &&
        !drop(rest.find('\0') == std::string_view::npos ? rest.size() + 1 : rest.find('\0') + 1))
      return false;
  return (flags & 2U) == 0 || drop(2);
}

}  // namespace

Result<std::string> Inflate(std::string_view& rest, std::size_t most) {
  Inflater inflater(rest, most);
  if (const int error = inflater.Run(); error != 0) return Errno{error};
  rest = inflater.Rest();
  return std::move(inflater.text());
}

Result<std::string> Gunzip(std::string_view bytes, std::size_t most) {
  std::string_view rest = bytes;
  if (!TakeHeader(rest)) return Errno{EBADMSG};
  Result<std::string> text = Inflate(rest, most);
  if (!text) return text;
  const bool whole = rest.size() == 8 && LittleWord(rest) == CrcOf(*text) &&
                     LittleWord(rest.substr(4)) == static_cast<std::uint32_t>(text->size());
  if (!whole) return Errno{EBADMSG};
  return text;
}

}  // namespace desk::files
