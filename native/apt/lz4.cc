#include "apt/lz4.h"

#include <array>
#include <cerrno>
#include <optional>

#include "files/bytes.h"

namespace desk::apt {
namespace {

constexpr std::string_view kFrame("\x04\x22\x4d\x18", 4);

unsigned ByteAt(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

// A length of 15 goes on in the next bytes, each of which is added; one below 255 is the last.
std::optional<std::size_t> TakeLength(std::string_view& block, unsigned first) {
  std::size_t length = first;
  if (first < 15) return length;
  while (!block.empty()) {
    const unsigned more = ByteAt(block, 0);
    block.remove_prefix(1);
    length += more;
    if (more < 255) return length;
  }
  return std::nullopt;
}

}  // namespace

int DecodeLz4Block(std::string_view block, std::size_t most, std::string& text) {
  const std::size_t end = text.size() + most;
  while (!block.empty()) {
    const unsigned token = ByteAt(block, 0);
    block.remove_prefix(1);
    const std::optional<std::size_t> literals = TakeLength(block, token >> 4U);
    if (!literals || *literals > block.size() || *literals > end - text.size()) return EBADMSG;
    text.append(block.substr(0, *literals));
    block.remove_prefix(*literals);
    // The last sequence has literals only.
    if (block.empty()) return 0;
    if (block.size() < 2) return EBADMSG;
    const std::size_t distance = ByteAt(block, 0) | ByteAt(block, 1) << 8U;
    block.remove_prefix(2);
    const std::optional<std::size_t> more = TakeLength(block, token & 15U);
    if (!more || distance == 0 || distance > text.size()) return EBADMSG;
    const std::size_t length = *more + 4;
    if (length > end - text.size()) return EBADMSG;
    const std::size_t from = text.size();
    text.resize(from + length);
    // What is copied may be part of the copy.
    for (std::size_t at = from; at < text.size(); ++at) text[at] = text[at - distance];
  }
  return EBADMSG;
}

Result<bool> Lz4Reader::Next(std::string& text) {
  if (most_ == 0)
    if (const int error = Start(); error != 0) return Errno{error};
  std::array<char, 4> head{};
  if (const int error = Take(head); error != 0) return Errno{error};
  const std::string_view bytes(head.data(), head.size());
  const std::size_t size =
      ByteAt(bytes, 0) | ByteAt(bytes, 1) << 8U | ByteAt(bytes, 2) << 16U | (ByteAt(bytes, 3) & 0x7fU) << 24U;
  const bool compressed = (ByteAt(bytes, 3) & 0x80U) == 0;
  if (compressed && size == 0) return false;
  if (size > most_) return Errno{EBADMSG};
  block_.resize(size);
  if (const int error = Take(block_); error != 0) return Errno{error};
  if (with_checksum_) offset_ += 4;
  if (!compressed) {
    text.append(block_);
    return true;
  }
  if (const int error = DecodeLz4Block(block_, most_, text); error != 0) return Errno{error};
  return true;
}

int Lz4Reader::Start() {
  std::array<char, 6> head{};
  if (const int error = Take(head); error != 0) return error;
  const std::string_view bytes(head.data(), head.size());
  const unsigned flags = ByteAt(bytes, 4);
  const unsigned size = ByteAt(bytes, 5) >> 4U & 7U;
  const bool with_dictionary = (flags & 1U) != 0;
  if (!bytes.starts_with(kFrame) || flags >> 6U != 1 || with_dictionary || size < 4) return EBADMSG;
  most_ = std::size_t{1} << (8 + 2 * size);
  with_checksum_ = (flags & 16U) != 0;
  const bool with_size = (flags & 8U) != 0;
  // A checksum of the header follows.
  offset_ += (with_size ? 8 : 0) + 1;
  return 0;
}

int Lz4Reader::Take(std::span<char> into) {
  const int error = files::ReadAt(file_, offset_, into);
  if (error == 0) offset_ += into.size();
  return error;
}

}  // namespace desk::apt
