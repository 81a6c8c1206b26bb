// Decompresses a frame of lz4 block by block (lz4_Frame_format.md and lz4_Block_format.md of lz4). The file
// may have any content. Checksums are not compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"

namespace desk::apt {

// A block may copy from as many bytes before it.
inline constexpr std::size_t kLz4History = 64 << 10;

// Appends what a block has, at most `most` bytes: 0, or EBADMSG where it is damaged or has more.
int DecodeLz4Block(std::string_view block, std::size_t most, std::string& text);

class Lz4Reader {
 public:
  // `file` is read from its start, and stays open.
  explicit Lz4Reader(int file) : file_(file) {}

  // Appends the next block to `text`, which must still end with the last kLz4History bytes of those before;
  // false at the end of the frame. EBADMSG where the file is damaged or of another format.
  Result<bool> Next(std::string& text);

 private:
  int Start();
  int Take(std::span<char> into);

  int file_;
  std::uint64_t offset_ = 0;
  // The most that a block has; 0 before the header was read.
  std::size_t most_ = 0;
  bool with_checksum_ = false;
  std::string block_;
};

}  // namespace desk::apt
