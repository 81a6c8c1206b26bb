// /proc/PID/maps in pieces.
#include <algorithm>
#include <string>

#include "fuzz/support/fuzz.h"
#include "peek/maps.h"

namespace desk::fuzz {
namespace {

void Sound(const Mappings& mappings) {
  Ensure(mappings.some.size() == std::min<std::size_t>(mappings.total, kMostMappings));
  Ensure(mappings.whole || !mappings.some.empty());
  for (const Mapping& mapping : mappings.some) {
    Ensure(mapping.permissions.size() == 4 && mapping.permissions[2] == 'x');
    Ensure(mapping.path.size() <= kMostMappingPath);
  }
}

Result<MapFacts> Read(std::string_view text, std::size_t piece, std::uint64_t code_start) {
  MapReader reader(code_start, "/usr/bin/program (deleted)");
  for (std::size_t at = 0; at < text.size(); at += piece) reader.Take(text.substr(at, piece));
  return reader.End();
}

void LineByItself(std::string_view text) {
  const Result<MapLine> line = ParseMapLine(text);
  if (!line) return Ensure(line.error() == EBADMSG);
  Ensure(line->start <= line->end);
  Ensure(line->path.empty() || (Inside(line->path, text) && !line->path.starts_with(' ')));
  const Backing backing = BackingOf(line->path);
  Ensure((backing == Backing::kAnonymous) >= line->path.empty());
  if (backing == Backing::kDeleted)
    Ensure(line->path == std::string(WithoutDeleted(line->path)) + " (deleted)");
}

}  // namespace

void FuzzOne(std::span<const std::uint8_t> input) {
  Taker taker(input);
  const std::size_t piece = taker.Take<std::uint8_t>() + 1U;
  const auto code_start = taker.Take<std::uint32_t>();
  const std::string_view text = TextOf(taker.rest());
  LineByItself(text.substr(0, text.find('\n')));
  const Result<MapFacts> facts = Read(text, piece, code_start);
  const Result<MapFacts> whole = Read(text, text.size() + 1, code_start);
  Ensure(facts.error() == whole.error());
  if (!facts) return Ensure(facts.error() == EBADMSG);
  Ensure(facts->writable_code == whole->writable_code && facts->anonymous_code == whole->anonymous_code &&
         facts->deleted_code == whole->deleted_code);
  for (const Mappings* const kind : {&facts->writable_code, &facts->anonymous_code, &facts->deleted_code})
    Sound(*kind);
  for (const Mapping& mapping : facts->writable_code.some) Ensure(mapping.permissions[1] == 'w');
  for (const Mapping& mapping : facts->anonymous_code.some) Ensure(mapping.permissions[1] == '-');
  Ensure(facts->first.has_value() || (facts->writable_code.total == 0 && facts->anonymous_code.total == 0));
  Ensure(facts->first.has_value() || !facts->first_holds_code);
}

}  // namespace desk::fuzz
