// SipHash-1-3 (Aumasson, Bernstein: "SipHash: a fast short-input PRF"), one compression and three
// finalisation rounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace desk {

struct SipKey {
  std::uint64_t k0;
  std::uint64_t k1;
};

std::uint64_t SipHash13(const SipKey& key, std::span<const std::uint8_t> bytes);

// The key of this process, drawn from getrandom(2) once.
const SipKey& ProcessKey();

// Hash of identity bytes under the key of this process; never 0, which stands for "no identity".
std::uint64_t HashIdentity(std::span<const std::uint8_t> bytes);

}  // namespace desk
