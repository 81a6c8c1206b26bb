#include "files/sqlite_wal.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "files/bytes.h"

namespace desk::files {
namespace {

constexpr std::uint64_t kWalHeader = 32;
constexpr std::uint64_t kFrameHeader = 24;
// The last bit says in which order checksums take the bytes of a word.
constexpr std::uint32_t kWalMagic = 0x377f0682;

// Of all words since the start of the log.
class Checksum {
 public:
  explicit Checksum(bool big_endian) : big_endian_(big_endian) {}

  // A multiple of eight bytes.
  void Take(std::string_view bytes) {
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
      first_ += Word(bytes) + second_;
      second_ += Word(bytes.substr(4)) + first_;
    }
  }
  // Whether the eight bytes are this sum; they are big-endian always.
  bool Is(std::string_view bytes) const {
    return BigEndian(bytes.substr(0, 4)) == first_ && BigEndian(bytes.substr(4, 4)) == second_;
  }

 private:
  std::uint32_t Word(std::string_view bytes) const {
    const auto word = static_cast<std::uint32_t>(BigEndian(bytes.substr(0, 4)));
    return big_endian_ ? word : __builtin_bswap32(word);
  }

  const bool big_endian_;
  std::uint32_t first_ = 0;
  std::uint32_t second_ = 0;
};

}  // namespace

Result<WalPages> ReadWal(int file) {
  WalPages wal;
  std::array<char, kWalHeader> head{};
  if (file < 0) return wal;
  if (const int error = ReadAt(file, 0, head); error != 0)
    return error == EBADMSG ? Result(wal) : Errno{error};
  const std::string_view header(head.data(), head.size());
  const auto magic = static_cast<std::uint32_t>(BigEndian(header.substr(0, 4)));
  const auto page_size = static_cast<std::uint32_t>(BigEndian(header.substr(8, 4)));
  Checksum checksum((magic & 1U) != 0);
  checksum.Take(header.substr(0, 24));
  if ((magic & ~1U) != kWalMagic || !IsPageSize(page_size) || !checksum.Is(header.substr(24))) return wal;
  std::vector<char> frame(kFrameHeader + page_size);
  // Of the transaction that is not completed yet.
  std::vector<std::pair<std::uint32_t, std::uint64_t>> pending;
  for (std::uint64_t at = kWalHeader;; at += frame.size()) {
    if (at > kMostWal) return Errno{EFBIG};
    const int error = ReadAt(file, at, frame);
    if (error != 0 && error != EBADMSG) return Errno{error};
    const std::string_view bytes(frame.data(), frame.size());
    // The salt is another one behind the end, where an earlier log was longer.
    if (error != 0 || bytes.substr(8, 8) != header.substr(16, 8)) break;
    checksum.Take(bytes.substr(0, 8));
    checksum.Take(bytes.substr(kFrameHeader));
    if (!checksum.Is(bytes.substr(16, 8))) break;
    pending.emplace_back(static_cast<std::uint32_t>(BigEndian(bytes.substr(0, 4))), at + kFrameHeader);
    const auto pages = static_cast<std::uint32_t>(BigEndian(bytes.substr(4, 4)));
    if (pages == 0) continue;
    for (const auto& [number, offset] : pending) wal.offsets[number] = offset;
    pending.clear();
    wal.page_size = page_size;
    wal.pages = pages;
  }
  return wal;
}

}  // namespace desk::files
