#include "files/watcher.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "core/open_at.h"
#include "core/text.h"
#include "files/search.h"

namespace desk::files {
namespace {

// Not IN_MODIFY: a file that is written counts once it is closed.
constexpr std::uint32_t kEvents = IN_CLOSE_WRITE | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM |
                                  IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

// A folder on the way of a pattern, and what of the pattern is left in it.
struct WatchStep {
  std::shared_ptr<const Fd> folder;
  std::string_view rest;
  int depth = 0;
};

}  // namespace

Result<Watcher> Watcher::Open() {
  Watcher watcher;
  watcher.inotify_ = Fd(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!watcher.inotify_.valid()) return Errno{errno};
  return watcher;
}

void Watcher::Add(std::uint32_t id, std::string pattern, std::uint32_t viewer) {
  Pattern& added = patterns_[id];
  added = {.text = std::move(pattern), .viewer = viewer};
  Arm(id, added);
}

void Watcher::Renew() {
  refused_ = 0;
  for (const auto& [id, pattern] : patterns_) Arm(id, pattern);
}

void Watcher::Arm(std::uint32_t id, const Pattern& pattern) {
  Result<Fd> top = OpenAt(AT_FDCWD, "/", O_PATH | O_DIRECTORY, 0);
  if (!top) return;
  std::string_view all = pattern.text;
  TakeUntil(all, '/');
  std::vector<WatchStep> steps{{.folder = std::make_shared<const Fd>(std::move(*top)), .rest = all}};
  std::size_t entries = 0;
  while (!steps.empty()) {
    const WatchStep step = std::move(steps.back());
    steps.pop_back();
    std::string_view rest = step.rest;
    const std::string_view component = TakeUntil(rest, '/');
    const bool below = component == "**";
    const bool literal = !below && component.find('*') == std::string_view::npos;
    const auto enter = [&](const std::string& name, std::string_view left, int depth) {
      const std::uint64_t flags = O_PATH | O_DIRECTORY | (below ? O_NOFOLLOW : 0);
      Result<Fd> folder = OpenAt(step.folder->get(), name.c_str(), flags, RESOLVE_NO_MAGICLINKS);
      if (!folder || !MayList(*folder, pattern.viewer)) return false;
      steps.push_back(
          {.folder = std::make_shared<const Fd>(std::move(*folder)), .rest = left, .depth = depth});
      return true;
    };
    if (rest.empty()) {
      Watch(*step.folder, {.id = id, .component = std::string(component), .leads = false});
    } else if (literal) {
      // Once it is there it is watched itself, also for its end.
      if (!enter(std::string(component), rest, 0))
        Watch(*step.folder, {.id = id, .component = std::string(component), .leads = true});
    } else {
      Watch(*step.folder, {.id = id, .component = below ? "*" : std::string(component), .leads = true});
      if (below) steps.push_back({.folder = step.folder, .rest = rest, .depth = step.depth});
      if (below && step.depth == kMostDepth) continue;
      Result<std::vector<std::string>> names = NamesIn(*step.folder, entries);
      if (!names) continue;
      for (const std::string& name : *names)
        if (below || Matches(name, component)) enter(name, below ? step.rest : rest, step.depth + 1);
    }
  }
}

void Watcher::Watch(const Fd& folder, Interest interest) {
  if (interests_.size() >= kMostWatches) {
    refused_ = refused_ == 0 ? ENOSPC : refused_;
    return;
  }
  const std::string path = "/proc/self/fd/" + std::to_string(folder.get());
  const int watch = ::inotify_add_watch(inotify_.get(), path.c_str(), kEvents);
  if (watch >= 0)
    interests_[watch].insert(std::move(interest));
  else if (refused_ == 0)
    refused_ = errno;
}

Watcher::Ids Watcher::Changed() {
  Ids changed;
  Ids renewed;
  alignas(inotify_event) std::array<char, 64 << 10> buffer{};
  for (;;) {
    const ssize_t got = ::read(inotify_.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    Take(buffer.data(), static_cast<std::size_t>(got), changed, renewed);
  }
  for (const std::uint32_t id : renewed) Arm(id, patterns_[id]);
  return changed;
}

void Watcher::Take(const char* events, std::size_t length, Ids& changed, Ids& renewed) {
  for (std::size_t at = 0; at + sizeof(inotify_event) <= length;) {
    inotify_event event{};
    std::memcpy(&event, events + at, sizeof event);
    const char* const text = events + at + sizeof event;
    at += sizeof event + event.len;
    if ((event.mask & IN_Q_OVERFLOW) != 0) {
      for (const auto& [id, pattern] : patterns_) {
        changed.insert(id);
        renewed.insert(id);
      }
      continue;
    }
    const auto known = interests_.find(event.wd);
    if (known == interests_.end()) continue;
    // The folder itself is gone, or another one has its path.
    const bool ended = (event.mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT)) != 0;
    const std::string_view name(text, event.len == 0 ? 0 : ::strnlen(text, event.len));
    for (const Interest& interest : known->second) {
      if (!ended && !Matches(name, interest.component)) continue;
      changed.insert(interest.id);
      if (ended || interest.leads) renewed.insert(interest.id);
    }
    if ((event.mask & IN_MOVE_SELF) != 0) ::inotify_rm_watch(inotify_.get(), event.wd);
    if ((event.mask & IN_IGNORED) != 0) interests_.erase(known);
  }
}

}  // namespace desk::files
