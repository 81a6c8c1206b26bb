#include "files/search.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <vector>

#include "core/open_at.h"
#include "core/result.h"
#include "core/text.h"

namespace desk::files {
namespace {

// Nothing is there, or what is there is no folder: a pattern that names nothing.
constexpr bool IsAbsent(int error) { return IsGone(error) || error == ENOTDIR; }

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
    Into(*top, "", rest, 0);
    return whole_;
  }

 private:
  // What `rest` names in a folder with the path `path`.
  void Into(const Fd& folder, const std::string& path, std::string_view rest, int depth) {
    if (stopped_) return;
    const std::string_view component = TakeUntil(rest, '/');
    if (component == "**") return Below(folder, path, rest, depth);
    if (component.find('*') == std::string_view::npos) return One(folder, path, std::string(component), rest);
    for (const std::string& name : NamesIn(folder, path))
      if (Matches(name, component)) One(folder, path, name, rest);
  }

  // `rest` in the folder itself and in every folder below.
  void Below(const Fd& folder, const std::string& path, std::string_view rest, int depth) {
    Into(folder, path, rest, depth);
    if (stopped_) return;
    if (depth == kMostDepth) {
      whole_ = false;
      return;
    }
    for (const std::string& name : NamesIn(folder, path)) {
      Result<Fd> below = OpenAt(folder.get(), name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW, 0);
      if (below && MayList(*below)) Below(*below, path + "/" + name, rest, depth + 1);
      if (stopped_) return;
    }
  }

  void One(const Fd& folder, const std::string& path, const std::string& name, std::string_view rest) {
    if (stopped_ || name.empty()) return;
    const std::string at = path + "/" + name;
    if (!rest.empty()) {
      Result<Fd> below = OpenAt(folder.get(), name.c_str(), O_PATH | O_DIRECTORY, RESOLVE_NO_MAGICLINKS);
      if (!below) return Refuse(at, below.error());
      if (!MayList(*below)) return Refuse(at, EACCES);
      return Into(*below, at, rest, 0);
    }
    Result<Fd> place = OpenAt(folder.get(), name.c_str(), O_PATH | O_NOFOLLOW, 0);
    if (!place) return Refuse(at, place.error());
    struct stat info {};
    if (::fstat(place->get(), &info) != 0) return Refuse(at, errno);
    if (S_ISDIR(info.st_mode)) return;
    if (visitor_.found({.folder = folder, .name = name, .place = *place, .path = at})) return;
    whole_ = false;
    stopped_ = true;
  }

  void Refuse(const std::string& path, int error) {
    if (!IsAbsent(error)) visitor_.refused(path, error);
  }

  bool MayList(const Fd& folder) const {
    if (viewer_ == 0) return true;
    struct stat info {};
    if (::fstat(folder.get(), &info) != 0) return false;
    constexpr mode_t kList = S_IROTH | S_IXOTH;
    return info.st_uid == viewer_ || (info.st_mode & kList) == kList;
  }

  std::vector<std::string> NamesIn(const Fd& folder, const std::string& path) {
    std::vector<std::string> names;
    Result<Fd> opened = OpenAt(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_NONBLOCK, 0);
    if (!opened) {
      Refuse(path.empty() ? "/" : path, opened.error());
      return names;
    }
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(opened->get()), ::closedir);
    if (!entries) return names;
    (*opened).Release();
    errno = 0;
    while (const dirent* const entry = ::readdir(entries.get())) {
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      if (entries_++ == kMostEntries) {
        whole_ = false;
        stopped_ = true;
        break;
      }
      names.emplace_back(name);
    }
    if (errno != 0) Refuse(path, errno);
    std::ranges::sort(names);
    return names;
  }

  const std::uint32_t viewer_;
  const SearchVisitor& visitor_;
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

bool SearchFiles(const std::string& pattern, std::uint32_t viewer, const SearchVisitor& visitor) {
  return Search(viewer, visitor).Run(pattern);
}

}  // namespace desk::files
