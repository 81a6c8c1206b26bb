#include "files/mtree.h"

#include "core/text.h"

namespace desk::files {
namespace {

// `\ooo` is a byte (vis(3)); nothing where it is something else.
std::optional<std::string> Unescaped(std::string_view text) {
  std::string bytes;
  while (!text.empty()) {
    if (text.front() != '\\') {
      bytes += text.front();
      text.remove_prefix(1);
      continue;
    }
    const auto byte = text.size() < 4 ? std::nullopt : ParseNumber<std::uint8_t>(text.substr(1, 3), 8);
    if (!byte || *byte == 0) return std::nullopt;
    bytes += static_cast<char>(*byte);
    text.remove_prefix(4);
  }
  return bytes;
}

// Takes words "KEY=VALUE" of a line into the entry; false where one is damaged.
bool TakeWords(std::string_view line, MtreeEntry& entry) {
  const auto digest = [&](Algorithm algorithm, std::string_view digits) {
    const std::optional<Digest> parsed = ParseDigest(algorithm, digits);
    const bool better = !entry.digest || algorithm == Algorithm::kSha256;
    if (parsed && better) entry.digest = parsed;
    return parsed.has_value();
  };
  while (!line.empty()) {
    std::string_view word = TakeField(line);
    const std::string_view key = TakeUntil(word, '=');
    bool good = true;
    if (key == "type") entry.regular = word == "file";
    if (key == "mode") {
      const auto mode = ParseNumber<std::uint16_t>(word, 8);
      good = mode && *mode <= 07777;
      entry.mode = mode;
    }
    if (key == "md5digest" || key == "md5") good = digest(Algorithm::kMd5, word);
    if (key == "sha256digest" || key == "sha256") good = digest(Algorithm::kSha256, word);
    if (!good) return false;
  }
  return true;
}

}  // namespace

bool EachMtreeEntry(std::string_view text, const std::function<void(const MtreeEntry&)>& visit) {
  if (TakeUntil(text, '\n') != "#mtree") return false;
  // What later entries have unless they say otherwise.
  MtreeEntry usual;
  while (!text.empty()) {
    std::string_view line = TakeUntil(text, '\n');
    const std::string_view word = TakeField(line);
    if (word.empty() || word.starts_with('#')) continue;
    if (word == "/set") {
      if (!TakeWords(line, usual)) return false;
      continue;
    }
    if (word == "/unset") {
      usual = {};
      continue;
    }
    if (!word.starts_with("./")) return false;
    const std::optional<std::string> path = Unescaped(word.substr(1));
    MtreeEntry entry = usual;
    if (!path || !TakeWords(line, entry)) return false;
    entry.path = *path;
    visit(entry);
  }
  return true;
}

}  // namespace desk::files
