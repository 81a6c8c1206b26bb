#include "files/search.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/open_at.h"
#include "core/result.h"
#include "core/text.h"

namespace desk::files {
namespace {

// The path does not exist, or one of its folders is not a folder: the pattern matches nothing.
constexpr bool IsAbsent(int error) { return IsGone(error) || error == ENOTDIR; }

// Something to look at: a folder that is open, or one of its entries.
struct Step {
  std::shared_ptr<const Fd> folder;
  std::string path;
  // The entry; "" is the folder itself.
  std::string name;
  // What is named in the folder, or below the entry.
  std::string_view rest;
  // Folders that `**` has descended.
  int depth = 0;
  // The entry was found by `**`: no link, and only if it is a folder.
  bool descends = false;
};

class Search {
 public:
  Search(std::uint32_t viewer, const SearchVisitor& visitor) : viewer_(viewer), visitor_(visitor) {}

  bool Run(const std::string& pattern) {
    Result<Fd> top = OpenAt(AT_FDCWD, "/", O_PATH | O_DIRECTORY, 0);
    if (!top) {
      visitor_.refused("/", top.error());
      return true;
    }
    std::string_view rest = pattern;
    TakeUntil(rest, '/');
    steps_.push_back(
        {.folder = std::make_shared<const Fd>(std::move(*top)), .path = "", .name = "", .rest = rest});
    while (!steps_.empty() && !stopped_) {
      const Step step = std::move(steps_.back());
      steps_.pop_back();
      if (step.name.empty())
        Expand(step);
      else if (step.rest.empty() && !step.descends)
        Visit(step);
      else
        Enter(step);
    }
    return whole_;
  }

 private:
  // Puts the next steps on the stack, the first one on top.
  void Expand(const Step& step) {
    Step next{.folder = step.folder, .path = step.path, .name = "", .rest = step.rest, .depth = step.depth};
    const std::string_view component = TakeUntil(next.rest, '/');
    const bool below = component == "**";
    if (!below && component.find('*') == std::string_view::npos) {
      next.name = component;
      if (!next.name.empty()) steps_.push_back(std::move(next));
      return;
    }
    Step entry = next;
    entry.descends = below;
    if (below) {
      entry.rest = step.rest;
      ++entry.depth;
    }
    std::vector<std::string> names;
    if (entry.depth <= kMostDepth)
      names = NamesOf(step);
    else
      whole_ = false;
    for (std::string& name : names) {
      if (!below && !Matches(name, component)) continue;
      entry.name = std::move(name);
      steps_.push_back(entry);
    }
    // `**` is the folder itself too.
    if (below) steps_.push_back(std::move(next));
  }

  void Enter(const Step& step) {
    const std::string at = PathOf(step);
    const std::uint64_t flags = O_PATH | O_DIRECTORY | (step.descends ? O_NOFOLLOW : 0);
    Result<Fd> folder = OpenAt(step.folder->get(), step.name.c_str(), flags, RESOLVE_NO_MAGICLINKS);
    // `**` does not follow links.
    if (!folder && step.descends && folder.error() == ELOOP) return;
    if (!folder) return Refuse(at, folder.error());
    if (!MayList(*folder, viewer_)) return Refuse(at, EACCES);
    steps_.push_back({.folder = std::make_shared<const Fd>(std::move(*folder)),
                      .path = at,
                      .name = "",
                      .rest = step.rest,
                      .depth = step.depth});
  }

  void Visit(const Step& step) {
    const std::string at = PathOf(step);
    Result<Fd> place = OpenAt(step.folder->get(), step.name.c_str(), O_PATH | O_NOFOLLOW, 0);
    if (!place) return Refuse(at, place.error());
    struct stat info {};
    if (::fstat(place->get(), &info) != 0) return Refuse(at, errno);
    if (S_ISDIR(info.st_mode)) return;
    if (visitor_.found({.folder = *step.folder, .name = step.name, .place = *place, .path = at})) return;
    whole_ = false;
    stopped_ = true;
  }

  std::vector<std::string> NamesOf(const Step& step) {
    Result<std::vector<std::string>> names = NamesIn(*step.folder, entries_);
    if (names) return std::move(*names);
    if (names.error() == ENOBUFS)
      whole_ = false;
    else
      Refuse(step.path.empty() ? "/" : step.path, names.error());
    return {};
  }

  static std::string PathOf(const Step& step) { return std::string(step.path).append("/").append(step.name); }

  void Refuse(const std::string& path, int error) {
    if (!IsAbsent(error)) visitor_.refused(path, error);
  }

  const std::uint32_t viewer_;
  const SearchVisitor& visitor_;
  std::vector<Step> steps_;
  std::size_t entries_ = 0;
  bool whole_ = true;
  bool stopped_ = false;
};

}  // namespace

bool Matches(std::string_view name, std::string_view component) {
  // The last `*` takes as much more as is needed; earlier ones never need to (as in fnmatch(3)).
  std::size_t at = 0;
  std::size_t want = 0;
  std::size_t star = std::string_view::npos;
  std::size_t taken = 0;
  while (at < name.size()) {
    if (want < component.size() && component[want] == '*') {
      star = want++;
      taken = at;
    } else if (want < component.size() && component[want] == name[at]) {
      ++want;
      ++at;
    } else if (star != std::string_view::npos) {
      want = star + 1;
      at = ++taken;
    } else {
      return false;
    }
  }
  while (want < component.size() && component[want] == '*') ++want;
  return want == component.size();
}

bool MayList(const Fd& folder, std::uint32_t viewer) {
  if (viewer == 0) return true;
  struct stat info {};
  if (::fstat(folder.get(), &info) != 0) return false;
  constexpr mode_t kList = S_IROTH | S_IXOTH;
  return info.st_uid == viewer || (info.st_mode & kList) == kList;
}

Result<std::vector<std::string>> NamesIn(const Fd& folder, std::size_t& entries) {
  Result<Fd> opened = OpenAt(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_NONBLOCK, 0);
  if (!opened) return opened.refusal();
  const std::unique_ptr<DIR, int (*)(DIR*)> listed(::fdopendir(opened->get()), ::closedir);
  if (!listed) return Errno{errno};
  (*opened).Release();
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* const entry = ::readdir(listed.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (entries++ >= kMostEntries) return Errno{ENOBUFS};
    names.emplace_back(name);
    errno = 0;
  }
  if (errno != 0) return Errno{errno};
  std::ranges::sort(names, std::greater());
  return names;
}

bool SearchFiles(const std::string& pattern, std::uint32_t viewer, const SearchVisitor& visitor) {
  return Search(viewer, visitor).Run(pattern);
}

}  // namespace desk::files
