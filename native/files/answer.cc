#include "files/answer.h"

#include <cerrno>
#include <optional>

#include "core/errno_name.h"
#include "core/hex.h"
#include "core/text.h"
#include "files/search.h"
#include "peek/writer.h"

namespace desk::files {
namespace {

void WriteOwners(const FileFacts& facts, const Dpkg& dpkg, Writer& out) {
  out.Name("owners").Open('[');
  for (const Owner& owner : dpkg.OwnersOf(facts.real)) {
    out.Open('{').Name("name").Text(owner.package->name).Name("version").Text(owner.package->version);
    out.Name("removed").Truth(owner.package->removed).Name("configuration").Truth(owner.configuration);
    out.Name("md5").Text(owner.digest ? HexOf(*owner.digest) : "").Close('}');
  }
  out.Close(']');
}

void WriteFile(const FileFacts& facts, const Dpkg& dpkg, Writer& out) {
  out.Open('{').Name("path").Text(facts.path).Name("kind").Text(facts.kind).Name("mode").Number(facts.mode);
  out.Name("uid").Number(facts.uid).Name("gid").Number(facts.gid).Name("size").Number(facts.size);
  out.Name("modifiedNs").Text(std::to_string(facts.modified));
  out.Name("changedNs").Text(std::to_string(facts.changed));
  out.Name("link").Text(facts.link).Name("real").Text(facts.real);
  if (facts.text) out.Name("text").Text(*facts.text);
  out.Name("cut").Truth(facts.cut).Name("sha256").Text(facts.sha256);
  out.Name("md5").Text(facts.sha256.empty() ? "" : HexOf(facts.md5));
  if (!facts.link.empty()) out.Name("owned").Truth(!dpkg.OwnersOf(facts.path).empty());
  if (const Package* const copied = facts.sha256.empty() ? nullptr : dpkg.PackageWith(facts.md5))
    out.Name("copy").Text(copied->name + " " + copied->version);
  if (!facts.real.empty()) WriteOwners(facts, dpkg, out);
  if (facts.error != 0) out.Name("error").Text(ErrnoName(facts.error));
  out.Close('}');
}

}  // namespace

bool ParsePattern(std::string_view line, FileQuery& query) {
  const auto viewer = ParseNumber<std::uint32_t>(TakeUntil(line, ' '));
  const std::optional<std::string> pattern = ParseHexPath(line);
  if (!viewer || !pattern || !pattern->starts_with('/')) return false;
  query.viewer = *viewer;
  query.pattern = *pattern;
  return true;
}

bool ParseQuery(std::string_view line, FileQuery& query) {
  const std::string_view depth = TakeUntil(line, ' ');
  if (depth == "text") query.depth = Depth::kText;
  if (depth == "digest") query.depth = Depth::kDigest;
  return (depth == "text" || depth == "digest" || depth == "facts") && ParsePattern(line, query);
}

std::string AnswerQuery(const FileQuery& query, Dpkg& dpkg) {
  const Result<bool> packaged = dpkg.Refresh();
  std::string answer;
  Writer out(answer);
  std::string refused;
  Writer unread(refused);
  unread.Open('[');
  out.Open('{').Name("files").Open('[');
  std::size_t files = 0;
  std::size_t texts = 0;
  const bool whole = SearchFiles(
      query.pattern, query.viewer,
      {.found =
           [&](const Found& found) {
             if (files++ == kMostFiles) return false;
             const bool fits = query.depth != Depth::kText || texts < kMostTexts;
             FileFacts facts = ReadFacts(found, query.viewer, fits ? query.depth : Depth::kFacts);
             // The text of this answer has reached its limit.
             if (!fits) facts.error = EMSGSIZE;
             if (facts.text) texts += facts.text->size();
             WriteFile(facts, dpkg, out);
             return true;
           },
       .refused =
           [&](const std::string& path, int error) {
             unread.Open('{').Name("path").Text(path).Name("error").Text(ErrnoName(error)).Close('}');
           }});
  out.Close(']').Name("unread").Raw(refused + "]").Name("cut").Truth(!whole);
  out.Name("packages").Text(packaged ? *packaged ? "read" : "none" : ErrnoName(packaged.error()));
  out.Name("busy").Truth(dpkg.IsBusy());
  out.Close('}');
  return answer;
}

}  // namespace desk::files
