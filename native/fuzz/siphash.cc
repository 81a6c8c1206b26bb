// SipHash-1-3 and 2-4 against the algorithm as its paper writes it down, on a padded copy of the message.
#include "core/siphash.h"

#include <array>
#include <vector>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {
namespace {

std::uint64_t Rotate(std::uint64_t value, unsigned by) { return (value << by) | (value >> (64 - by)); }

void SipRound(std::uint64_t (&v)[4]) {
  v[0] += v[1];
  v[2] += v[3];
  v[1] = Rotate(v[1], 13);
  v[3] = Rotate(v[3], 16);
  v[1] ^= v[0];
  v[3] ^= v[2];
  v[0] = Rotate(v[0], 32);
  v[2] += v[1];
  v[0] += v[3];
  v[1] = Rotate(v[1], 17);
  v[3] = Rotate(v[3], 21);
  v[1] ^= v[2];
  v[3] ^= v[0];
  v[2] = Rotate(v[2], 32);
}

using Words = std::uint64_t[4];

void Take(Words& v, std::span<const std::uint8_t> message, int rounds) {
  std::vector<std::uint8_t> padded(message.begin(), message.end());
  padded.resize((message.size() / 8 + 1) * 8);
  padded.back() = static_cast<std::uint8_t>(message.size());
  for (std::size_t at = 0; at < padded.size(); at += 8) {
    std::uint64_t word = 0;
    for (std::size_t i = 8; i-- > 0;) word = word << 8 | padded[at + i];
    v[3] ^= word;
    for (int round = 0; round < rounds; ++round) SipRound(v);
    v[0] ^= word;
  }
}

std::uint64_t Finish(Words& v, int rounds) {
  for (int round = 0; round < rounds; ++round) SipRound(v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

std::uint64_t Plain(const SipKey& key, std::span<const std::uint8_t> message) {
  Words v = {key.k0 ^ 0x736f6d6570736575, key.k1 ^ 0x646f72616e646f6d, key.k0 ^ 0x6c7967656e657261,
             key.k1 ^ 0x7465646279746573};
  Take(v, message, 1);
  v[2] ^= 0xff;
  return Finish(v, 3);
}

std::array<std::uint8_t, 16> PlainWide(const SipKey& key, std::span<const std::uint8_t> message) {
  Words v = {key.k0 ^ 0x736f6d6570736575, key.k1 ^ 0x646f72616e646f6d ^ 0xee, key.k0 ^ 0x6c7967656e657261,
             key.k1 ^ 0x7465646279746573};
  Take(v, message, 2);
  v[2] ^= 0xee;
  std::array<std::uint8_t, 16> hash{};
  for (std::size_t half = 0; half < 2; ++half) {
    const std::uint64_t word = Finish(v, 4);
    for (std::size_t i = 0; i < 8; ++i) hash[8 * half + i] = static_cast<std::uint8_t>(word >> (8 * i));
    v[1] ^= 0xdd;
  }
  return hash;
}

}  // namespace

void FuzzOne(std::span<const std::uint8_t> input) {
  Taker taker(input);
  const SipKey key{taker.Take<std::uint64_t>(), taker.Take<std::uint64_t>()};
  Ensure(SipHash13(key, taker.rest()) == Plain(key, taker.rest()));
  Ensure(SipHash24Wide(key, taker.rest()) == PlainWide(key, taker.rest()));
}

}  // namespace desk::fuzz
