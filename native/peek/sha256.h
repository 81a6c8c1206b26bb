// SHA-256 (FIPS 180-4) of bytes in pieces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/digest_blocks.h"

namespace desk {

class Sha256 {
 public:
  void Take(std::string_view bytes);
  // 64 lower-case hex digits; the last call.
  std::string End();

 private:
  void Mix(const char* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  DigestBlocks blocks_;
};

}  // namespace desk
