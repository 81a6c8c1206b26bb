// Digests of file contents, as package databases record them.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "files/md5.h"
#include "peek/sha256.h"

namespace desk::files {

enum class Algorithm : std::uint8_t {
  kMd5,
  kSha256,
  // One that is not computed here.
  kOther,
};

struct Digest {
  Algorithm algorithm = Algorithm::kMd5;
  // Those behind the digest are 0.
  std::array<std::uint8_t, 32> bytes{};

  friend bool operator==(const Digest&, const Digest&) = default;
  // Not defaulted: std::array has no <=> in the libc++ of the packages.
  friend std::strong_ordering operator<=>(const Digest& a, const Digest& b) {
    if (a.algorithm != b.algorithm) return a.algorithm <=> b.algorithm;
    return std::memcmp(a.bytes.data(), b.bytes.data(), a.bytes.size()) <=> 0;
  }
};

// Of hexadecimal digits; nothing where they are not a digest of this algorithm.
std::optional<Digest> ParseDigest(Algorithm algorithm, std::string_view digits);

// The digits of an MD5 digest, and "sha256:" with those of SHA-256; "" of another algorithm.
std::string DigestText(const Digest& digest);

// The digest of no bytes, which says nothing about where a file comes from.
bool IsOfNothing(const Digest& digest);

// Computes the digest of bytes in pieces; not for kOther.
class Hasher {
 public:
  explicit Hasher(Algorithm algorithm) : algorithm_(algorithm) {}

  void Take(std::string_view bytes);
  // The last call.
  Digest End();

 private:
  const Algorithm algorithm_;
  Md5 md5_;
  Sha256 sha256_;
};

}  // namespace desk::files
