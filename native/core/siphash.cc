#include "core/siphash.h"

#include <sys/random.h>

#include <bit>
#include <cerrno>
#include <cstring>

namespace desk {
namespace {

struct State {
  std::uint64_t v0, v1, v2, v3;

  explicit State(const SipKey& key)
      : v0(key.k0 ^ 0x736f6d6570736575u),
        v1(key.k1 ^ 0x646f72616e646f6du),
        v2(key.k0 ^ 0x6c7967656e657261u),
        v3(key.k1 ^ 0x7465646279746573u) {}

  // Compresses the message, each word in `rounds` rounds.
  template <int rounds>
  void Compress(std::span<const std::uint8_t> bytes) {
    const std::uint8_t* at = bytes.data();
    std::size_t left = bytes.size();
    for (; left >= 8; at += 8, left -= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, 8);  // both supported architectures are little-endian, as the algorithm requires
      Word<rounds>(word);
    }
    std::uint64_t last = std::uint64_t{bytes.size()} << 56;
    for (std::size_t i = 0; i < left; ++i) last |= std::uint64_t{at[i]} << (8 * i);
    Word<rounds>(last);
  }
  template <int rounds>
  std::uint64_t Finish() {
    for (int round = 0; round < rounds; ++round) Round();
    return v0 ^ v1 ^ v2 ^ v3;
  }

 private:
  template <int rounds>
  void Word(std::uint64_t word) {
    v3 ^= word;
    for (int round = 0; round < rounds; ++round) Round();
    v0 ^= word;
  }
  void Round() {
    v0 += v1;
    v1 = std::rotl(v1, 13) ^ v0;
    v0 = std::rotl(v0, 32);
    v2 += v3;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1;
    v1 = std::rotl(v1, 17) ^ v2;
    v2 = std::rotl(v2, 32);
  }
};

SipKey DrawKey() {
  SipKey key{};
  auto* at = reinterpret_cast<std::uint8_t*>(&key);
  std::size_t left = sizeof key;
  while (left > 0) {
    const ssize_t got = ::getrandom(at, left, 0);
    if (got > 0) {
      at += got;
      left -= static_cast<std::size_t>(got);
    } else if (errno != EINTR) {
      break;  // refused by seccomp: with a fixed key the hashes are correct, but predictable
    }
  }
  return key;
}

}  // namespace

std::uint64_t SipHash13(const SipKey& key, std::span<const std::uint8_t> bytes) {
  State s(key);
  s.Compress<1>(bytes);
  s.v2 ^= 0xff;
  return s.Finish<3>();
}

std::array<std::uint8_t, 16> SipHash24Wide(const SipKey& key, std::span<const std::uint8_t> bytes) {
  State s(key);
  s.v1 ^= 0xee;
  s.Compress<2>(bytes);
  s.v2 ^= 0xee;
  const std::uint64_t low = s.Finish<4>();
  s.v1 ^= 0xdd;
  const std::uint64_t high = s.Finish<4>();
  std::array<std::uint8_t, 16> hash{};
  std::memcpy(hash.data(), &low, 8);
  std::memcpy(hash.data() + 8, &high, 8);
  return hash;
}

const SipKey& ProcessKey() {
  static const SipKey key = DrawKey();
  return key;
}

std::uint64_t HashIdentity(std::span<const std::uint8_t> bytes) {
  const std::uint64_t hash = SipHash13(ProcessKey(), bytes);
  return hash == 0 ? 1 : hash;
}

}  // namespace desk
