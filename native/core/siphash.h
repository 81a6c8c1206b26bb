// SipHash (Aumasson, Bernstein: "SipHash: a fast short-input PRF"): who has not the key can neither foresee a
// hash nor make two texts of one hash.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace desk {

struct SipKey {
  std::uint64_t k0;
  std::uint64_t k1;
};

// SipHash-1-3: one compression and three finalisation rounds.
std::uint64_t SipHash13(const SipKey& key, std::span<const std::uint8_t> bytes);

// SipHash-2-4 with 128 bits, as the authors' reference implementation (siphash.c) gives them.
std::array<std::uint8_t, 16> SipHash24Wide(const SipKey& key, std::span<const std::uint8_t> bytes);

// The key of this process, drawn from getrandom(2) once.
const SipKey& ProcessKey();

// Hash of identity bytes under the key of this process; never 0, which stands for "no identity".
std::uint64_t HashIdentity(std::span<const std::uint8_t> bytes);

}  // namespace desk
