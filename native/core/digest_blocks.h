// Bytes in blocks of 64, as MD5 and SHA-256 take them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace desk {

class DigestBlocks {
 public:
  // Calls mix(block) for each whole block; the rest is kept.
  template <class Mix>
  void Take(std::string_view bytes, Mix&& mix) {
    const std::size_t held = length_ % kBlock;
    length_ += bytes.size();
    if (held > 0) {
      const std::size_t more = std::min(bytes.size(), kBlock - held);
      std::memcpy(rest_.data() + held, bytes.data(), more);
      bytes.remove_prefix(more);
      if (held + more < kBlock) return;
      mix(rest_.data());
    }
    for (; bytes.size() >= kBlock; bytes.remove_prefix(kBlock)) mix(bytes.data());
    if (!bytes.empty()) std::memcpy(rest_.data(), bytes.data(), bytes.size());
  }

  // The padding, with the number of bits at its end; the last call.
  template <class Mix>
  void End(bool big_endian, Mix&& mix) {
    const std::uint64_t bits = length_ * 8;
    std::array<char, 2 * kBlock> padding{};
    padding[0] = static_cast<char>(0x80);
    // Up to where eight bytes are left in the block.
    const std::size_t zeros = (kBlock + 56 - length_ % kBlock - 1) % kBlock;
    for (std::size_t at = 0; at < 8; ++at)
      padding[1 + zeros + at] = static_cast<char>(bits >> (8 * (big_endian ? 7 - at : at)));
    Take({padding.data(), 1 + zeros + 8}, mix);
  }

 private:
  static constexpr std::size_t kBlock = 64;

  std::array<char, kBlock> rest_{};
  std::uint64_t length_ = 0;
};

}  // namespace desk
