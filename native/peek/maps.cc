#include "peek/maps.h"

#include <algorithm>
#include <utility>

#include "core/text.h"

namespace desk {
namespace {

constexpr Errno kMalformed{EBADMSG};
constexpr std::string_view kDeletedSuffix = " (deleted)";
// A path is at most a page long; the rest of a longer line is not needed.
constexpr std::size_t kMostLine = 8192;

void Keep(Mappings& mappings, const MapLine& line) {
  ++mappings.total;
  if (mappings.some.size() < kMostMappings) {
    mappings.some.push_back({.start = line.start,
                             .bytes = line.end - line.start,
                             .permissions = std::string(line.permissions.begin(), line.permissions.end()),
                             .path = std::string(line.path.substr(0, kMostMappingPath))});
    if (line.path.size() > kMostMappingPath) mappings.whole = false;
  } else if (mappings.whole && !line.path.empty()) {
    mappings.whole = std::ranges::find(mappings.some, line.path, &Mapping::path) != mappings.some.end();
  }
}

void Keep(Paths& paths, std::string_view path) {
  if (paths.some.contains(path)) return;
  if (paths.some.size() < kMostPaths)
    paths.some.emplace(path);
  else
    paths.whole = false;
}

}  // namespace

Result<MapLine> ParseMapLine(std::string_view line) {
  MapLine map;
  std::string_view rest = line;
  const auto start = ParseNumber<std::uint64_t>(TakeUntil(rest, '-'), 16);
  const auto end = ParseNumber<std::uint64_t>(TakeUntil(rest, ' '), 16);
  if (!start || !end || *end < *start) return kMalformed;
  map.start = *start;
  map.end = *end;
  const std::string_view permissions = TakeUntil(rest, ' ');
  if (permissions.size() != map.permissions.size()) return kMalformed;
  constexpr std::array<std::string_view, 4> kKnown{"r-", "w-", "x-", "ps"};
  for (std::size_t at = 0; at < permissions.size(); ++at) {
    if (kKnown[at].find(permissions[at]) == std::string_view::npos) return kMalformed;
    map.permissions[at] = permissions[at];
  }
  if (!ParseNumber<std::uint64_t>(TakeUntil(rest, ' '), 16)) return kMalformed;
  std::string_view device = TakeUntil(rest, ' ');
  if (!ParseNumber<std::uint32_t>(TakeUntil(device, ':'), 16) || !ParseNumber<std::uint32_t>(device, 16))
    return kMalformed;
  if (!ParseNumber<std::uint64_t>(TakeUntil(rest, ' '))) return kMalformed;
  // Blanks up to the path's column; a path starts with a slash, so none of its own are lost.
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  map.path = rest;
  return map;
}

Backing BackingOf(std::string_view path) {
  if (path.empty()) return Backing::kAnonymous;
  if (path.starts_with('[')) {
    for (const std::string_view kind : {"[heap]", "[stack", "[anon"})
      if (path.starts_with(kind)) return Backing::kAnonymous;
    return Backing::kKernel;
  }
  if (path.starts_with("/memfd:")) return Backing::kMemfd;
  // Unnamed files that the kernel creates for memory, all of them "deleted": shared anonymous memory,
  // huge pages, shmget(2), buffers of graphics drivers.
  if (!path.ends_with(kDeletedSuffix)) return Backing::kFile;
  for (const std::string_view kind : {"/dev/zero ", "/anon_hugepage ", "/SYSV", "/drm ", "/i915 "})
    if (path.starts_with(kind)) return Backing::kAnonymous;
  return Backing::kDeleted;
}

std::string_view WithoutDeleted(std::string_view path) {
  if (path.ends_with(kDeletedSuffix)) path.remove_suffix(kDeletedSuffix.size());
  return path;
}

void MapReader::Take(std::string_view piece) {
  while (!piece.empty()) {
    const std::size_t end = piece.find('\n');
    const std::string_view part = piece.substr(0, end);
    if (end != std::string_view::npos && line_.empty()) {
      TakeLine(part);
    } else {
      line_.append(part.substr(0, kMostLine - line_.size()));
      if (end == std::string_view::npos) return;
      TakeLine(line_);
      line_.clear();
    }
    piece.remove_prefix(end + 1);
  }
}

Result<MapFacts> MapReader::End() {
  if (!line_.empty()) TakeLine(line_);
  line_.clear();
  if (malformed_) return kMalformed;
  return std::move(facts_);
}

void MapReader::TakeLine(std::string_view text) {
  const Result<MapLine> line = ParseMapLine(text);
  if (!line) {
    malformed_ = true;
    return;
  }
  const Backing backing = BackingOf(line->path);
  const bool fileless = backing == Backing::kAnonymous || backing == Backing::kMemfd;
  if (!facts_.first) {
    Mappings first;
    Keep(first, *line);
    facts_.first = std::move(first.some.front());
    facts_.first_is_anonymous_code = line->executable() && fileless;
    facts_.first_holds_code = line->start <= code_start_ && code_start_ < line->end;
  }
  if (!line->executable() || backing == Backing::kKernel) return;
  if (line->writable())
    Keep(facts_.writable_code, *line);
  else if (fileless)
    Keep(facts_.anonymous_code, *line);
  if (backing != Backing::kDeleted || line->path == executable_) return;
  Keep(facts_.deleted_code, *line);
  Keep(facts_.deleted_paths, line->path);
}

}  // namespace desk
