#include "files/digest.h"

#include <algorithm>
#include <span>

#include "core/hex.h"
#include "core/text.h"

namespace desk::files {
namespace {

constexpr std::size_t LengthOf(Algorithm algorithm) { return algorithm == Algorithm::kMd5 ? 16 : 32; }

Digest OfNothing(Algorithm algorithm) { return Hasher(algorithm).End(); }

}  // namespace

std::optional<Digest> ParseDigest(Algorithm algorithm, std::string_view digits) {
  Digest digest{.algorithm = algorithm};
  const std::size_t length = LengthOf(algorithm);
  if (algorithm == Algorithm::kOther || digits.size() != 2 * length) return std::nullopt;
  for (std::size_t at = 0; at < length; ++at)
    if (!ParseInto(digest.bytes[at], digits.substr(2 * at, 2), 16)) return std::nullopt;
  return digest;
}

std::string DigestText(const Digest& digest) {
  if (digest.algorithm == Algorithm::kOther) return "";
  const std::string digits = HexOf(std::span(digest.bytes).first(LengthOf(digest.algorithm)));
  return digest.algorithm == Algorithm::kMd5 ? digits : "sha256:" + digits;
}

bool IsOfNothing(const Digest& digest) {
  static const Digest kMd5 = OfNothing(Algorithm::kMd5);
  static const Digest kSha256 = OfNothing(Algorithm::kSha256);
  return digest == kMd5 || digest == kSha256;
}

void Hasher::Take(std::string_view bytes) {
  if (algorithm_ == Algorithm::kMd5)
    md5_.Take(bytes);
  else
    sha256_.Take(bytes);
}

Digest Hasher::End() {
  if (algorithm_ == Algorithm::kSha256)
    return ParseDigest(algorithm_, sha256_.End()).value_or(Digest{.algorithm = algorithm_});
  Digest digest;
  std::ranges::copy(md5_.End(), digest.bytes.begin());
  return digest;
}

}  // namespace desk::files
