// MD5 (RFC 1321) of bytes in pieces: the digest that dpkg records. It says whether a file is the
// packaged one where no attacker made the packaged one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/digest_blocks.h"

namespace desk::files {

using Md5Digest = std::array<std::uint8_t, 16>;

class Md5 {
 public:
  void Take(std::string_view bytes);
  // The last call.
  Md5Digest End();

 private:
  void Mix(const char* block);

  std::array<std::uint32_t, 4> state_{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  DigestBlocks blocks_;
};

}  // namespace desk::files
