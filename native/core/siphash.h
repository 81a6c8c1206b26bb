// SipHash (Aumasson, Bernstein: "SipHash: a fast short-input PRF"): without the key a sender cannot predict a
// hash or construct two texts with the same hash.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace desk {

struct SipKey {
  std::uint64_t k0;
  std::uint64_t k1;
};

inline std::span<const std::uint8_t> BytesOf(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// SipHash-1-3: one compression and three finalisation rounds.
std::uint64_t SipHash13(const SipKey& key, std::span<const std::uint8_t> bytes);

// SipHash-2-4 with 128 bits, as the authors' reference implementation (siphash.c) gives them.
std::array<std::uint8_t, 16> SipHash24Wide(const SipKey& key, std::span<const std::uint8_t> bytes);

// The key of this process, drawn from getrandom(2) once.
const SipKey& ProcessKey();

// Hash of identity bytes under the key of this process; never 0, which means "no identity".
std::uint64_t HashIdentity(std::span<const std::uint8_t> bytes);
inline std::uint64_t HashIdentity(std::string_view text) { return HashIdentity(BytesOf(text)); }

}  // namespace desk
