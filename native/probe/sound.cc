#include "probe/sound.h"

#include "core/read.h"
#include "core/text.h"

namespace desk {

std::uint32_t ParsePcm(std::string_view text) {
  std::uint32_t count = 0;
  while (!text.empty()) {
    std::string_view line = TakeUntil(text, '\n');
    // Names may contain anything: only a whole field "capture <number>" counts.
    bool captures = false;
    while (!line.empty()) {
      const std::string_view field = TrimBlanks(TakeUntil(line, ':'));
      constexpr std::string_view kWord = "capture ";
      captures |=
          field.starts_with(kWord) && ParseNumber<std::uint32_t>(field.substr(kWord.size())).has_value();
    }
    if (captures) ++count;
  }
  return count;
}

Result<std::uint32_t> CountCaptureDevices(int root) {
  const Result<std::string_view> text = ReadFile(root, "asound/pcm");
  if (text) return ParsePcm(*text);
  if (text.error() == ENOENT) return 0;
  return text.refusal();
}

}  // namespace desk
