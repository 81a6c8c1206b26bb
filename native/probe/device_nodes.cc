#include "probe/device_nodes.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/fd.h"
#include "core/read.h"
#include "core/text.h"
#include "probe/sys_class.h"

namespace desk {
namespace {

constexpr std::array<std::string_view, 4> kNoDevices{"shm", "mqueue", "pts", "hugepages"};

struct Folder {
  std::string path;
  std::uint32_t depth;
};

class Walk {
 public:
  Walk(int top, const struct statx& about, Result<std::vector<std::uint32_t>> majors)
      : top_(top), device_(about.stx_dev_major, about.stx_dev_minor), majors_(std::move(majors)) {
    scan_.majors_error = majors_.error();
  }

  DeviceScan Run() {
    folders_.push_back({.path = ".", .depth = 0});
    while (!folders_.empty() && !scan_.cut) {
      const Folder folder = std::move(folders_.back());
      folders_.pop_back();
      Enter(folder);
    }
    return std::move(scan_);
  }

 private:
  void Enter(const Folder& folder) {
    const Fd opened(::openat(top_, folder.path.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    const int error = opened.valid() ? 0 : errno;
    const auto names = error == 0 ? ListNames(opened.get(), ".", "", "") : Errno{error};
    if (!names) {
      if (!IsGone(names.error())) NoteUnseen(folder.path);
      return;
    }
    for (const std::string& name : *names) {
      if (name == "." || name == "..") continue;
      if (++scan_.entries > kMostEntries) {
        scan_.cut = true;
        return;
      }
      Visit(opened.get(), folder, name);
    }
  }

  void Visit(int directory, const Folder& folder, const std::string& name) {
    struct statx about {};
    constexpr int kQuiet = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;
    constexpr unsigned kWanted = STATX_TYPE | STATX_MODE | STATX_UID | STATX_SIZE;
    std::string path = folder.depth == 0 ? name : folder.path + '/' + name;
    if (::statx(directory, name.c_str(), kQuiet, kWanted, &about) != 0) {
      if (!IsGone(errno)) NoteUnseen(path);
      return;
    }
    if (S_ISDIR(about.stx_mode)) {
      if (folder.depth == 0 && std::ranges::find(kNoDevices, name) != kNoDevices.end()) return;
      const bool ours = std::pair(about.stx_dev_major, about.stx_dev_minor) == device_;
      if (!ours || folder.depth + 1 >= kMostDepth) return NoteUnseen(path);
      folders_.push_back({.path = std::move(path), .depth = folder.depth + 1});
      return;
    }
    const bool regular = S_ISREG(about.stx_mode);
    if (!regular && !(S_ISCHR(about.stx_mode) && Unknown(about.stx_rdev_major))) return;
    ++scan_.strange_count;
    if (scan_.strange.size() == kMostStrange) return;
    scan_.strange.push_back({.path = std::move(path),
                             .regular = regular,
                             .bytes = about.stx_size,
                             .uid = about.stx_uid,
                             .mode = about.stx_mode,
                             .major = about.stx_rdev_major,
                             .minor = about.stx_rdev_minor});
  }

  bool Unknown(std::uint32_t major) const {
    return majors_.ok() && !std::ranges::binary_search(*majors_, major);
  }

  void NoteUnseen(const std::string& path) {
    if (scan_.unseen.size() < kMostStrange) scan_.unseen.push_back(path);
  }

  const int top_;
  const std::pair<std::uint32_t, std::uint32_t> device_;
  const Result<std::vector<std::uint32_t>> majors_;
  std::vector<Folder> folders_;
  DeviceScan scan_;
};

}  // namespace

Result<std::vector<std::uint32_t>> ParseCharacterMajors(std::string_view text) {
  // `Character devices:`, lines ` 10 misc`, an empty line, then `Block devices:` likewise.
  while (!text.empty() && TakeUntil(text, '\n') != "Character devices:") {
  }
  std::vector<std::uint32_t> majors;
  while (!text.empty()) {
    std::string_view line = TrimBlanks(TakeUntil(text, '\n'));
    if (line.empty()) break;
    const auto major = ParseNumber<std::uint32_t>(TakeUntil(line, ' '));
    if (!major) return Errno{EBADMSG};
    majors.push_back(*major);
  }
  if (majors.empty()) return Errno{EBADMSG};
  std::ranges::sort(majors);
  return majors;
}

Result<DeviceScan> FindStrangeNodes(int root, const std::string& dev) {
  const Fd top(::open(dev.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!top.valid()) return Errno{errno};
  struct statx about {};
  if (::statx(top.get(), "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &about) != 0)
    return Errno{errno};
  return Walk(top.get(), about, ReadFile(root, "devices").AndThen(ParseCharacterMajors)).Run();
}

}  // namespace desk
