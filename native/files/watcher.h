// Reports which patterns may name something else now: by inotify(7) on the folders in which they look.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/fd.h"
#include "core/result.h"

namespace desk::files {

// Folders that are watched; a desktop with ten users has about a thousand.
inline constexpr std::size_t kMostWatches = 16'384;

class Watcher {
 public:
  using Ids = std::set<std::uint32_t>;

  // EMFILE and such where the kernel gives none.
  static Result<Watcher> Open();

  // Watches the folders of a pattern of search.h, and the nearest that exists of those that do not.
  void Add(std::uint32_t id, std::string pattern, std::uint32_t viewer);
  // Watches the folders again: what came without an event, as by mounting, is watched then.
  void Renew();

  // The patterns that are concerned by what has happened since the last call. Does not wait.
  Ids Changed();

  // To poll for reading.
  int fd() const { return inotify_.get(); }
  std::size_t watches() const { return interests_.size(); }
  // Why folders are not watched, the first errno; 0 where all are.
  int refused() const { return refused_; }

 private:
  struct Pattern {
    std::string text;
    std::uint32_t viewer = 0;
  };
  // What counts in a folder: a name that matches, of a file or of a folder on the way to files.
  struct Interest {
    std::uint32_t id = 0;
    std::string component;
    bool leads = false;

    bool operator<(const Interest& other) const {
      return std::tie(id, component, leads) < std::tie(other.id, other.component, other.leads);
    }
  };

  void Arm(std::uint32_t id, const Pattern& pattern);
  void Watch(const Fd& folder, Interest interest);
  void Take(const char* events, std::size_t length, Ids& changed, Ids& renewed);

  Fd inotify_;
  std::map<std::uint32_t, Pattern> patterns_;
  // By watch descriptor.
  std::map<int, std::set<Interest>> interests_;
  int refused_ = 0;
};

}  // namespace desk::files
