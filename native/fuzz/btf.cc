// The kernel's type information, and paths of members through it.
#include "bpf/btf.h"

#include <cerrno>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  Taker taker(input);
  const auto kind = static_cast<bpf::Kind>(taker.Take<std::uint8_t>() % 20);
  const std::string_view name = TextOf(taker.TakeBytes(32));
  const std::string_view path = TextOf(taker.TakeBytes(64));
  const Result<bpf::Btf> btf = bpf::Btf::Parse(taker.rest());
  if (!btf) return Ensure(btf.error() == EBADMSG || btf.error() == EOPNOTSUPP);
  for (std::uint32_t type = 0; type < 8; ++type) {
    const auto access = btf->Resolve(type, path);
    if (access) Ensure(!access->loads.empty() && access->loads.size() <= path.size() + 1);
    const Result<std::uint32_t> size = btf->SizeOf(type);
    Ensure(size.ok() || size.error() > 0);
  }
  const Result<std::uint32_t> found = btf->Find(kind, name);
  if (!found) return Ensure(found.error() == ENOENT || found.error() == EBADMSG);
  Ensure(*found > 0);
  Ensure(btf->Resolve(*found, "no.such.member").error() != 0);
}

}  // namespace desk::fuzz
