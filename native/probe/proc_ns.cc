#include "probe/proc_ns.h"

#include "core/read.h"
#include "core/text.h"

namespace desk {

Result<std::uint32_t> ParseNamespace(std::string_view link, std::string_view kind) {
  constexpr Errno kMalformed{EBADMSG};
  if (!link.starts_with(kind)) return kMalformed;
  link.remove_prefix(kind.size());
  if (!link.starts_with(":[") || !link.ends_with(']')) return kMalformed;
  const auto number = ParseNumber<std::uint32_t>(link.substr(2, link.size() - 3));
  if (!number || *number == 0) return kMalformed;
  return *number;
}

Result<std::uint32_t> ReadNamespace(int root, const char* path, std::string_view kind) {
  const Result<std::string_view> link = ReadLink(root, path);
  if (!link) return link.refusal();
  return ParseNamespace(*link, kind);
}

}  // namespace desk
