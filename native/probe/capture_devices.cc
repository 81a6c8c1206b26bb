#include "probe/capture_devices.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <set>
#include <utility>

#include "core/read.h"
#include "core/text.h"
#include "probe/sys_class.h"

namespace desk {

Result<std::uint32_t> CountCameras(const std::string& sys) {
  const Result<Fd> nodes = OpenClass(sys, "video4linux");
  if (!nodes) {
    if (nodes.error() == ENOENT) return 0;
    return nodes.refusal();
  }
  const auto names = ListNames(nodes->get(), ".", "video", "");
  if (!names) return names.refusal();
  std::set<std::pair<std::uint64_t, std::uint64_t>> devices;
  for (const std::string& name : *names) {
    const Result<std::uint32_t> index =
        ReadFile(nodes->get(), (name + "/index").c_str()).AndThen(ParseValue<std::uint32_t>);
    if (IsGone(index.error())) continue;
    if (!index) return index.refusal();
    if (*index != 0) continue;
    // A virtual camera has no parent device: the node itself counts as the device.
    struct stat device {};
    if (::fstatat(nodes->get(), (name + "/device").c_str(), &device, 0) != 0 &&
        ::fstatat(nodes->get(), name.c_str(), &device, 0) != 0)
      continue;
    devices.emplace(device.st_dev, device.st_ino);
  }
  return static_cast<std::uint32_t>(devices.size());
}

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
