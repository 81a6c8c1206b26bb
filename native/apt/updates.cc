#include "apt/updates.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "apt/deb_version.h"
#include "apt/lz4.h"
#include "core/errno_name.h"
#include "core/fd.h"
#include "core/open_at.h"
#include "core/read.h"
#include "core/result.h"
#include "core/text.h"
#include "files/deb822.h"
#include "probe/sys_class.h"

namespace desk::apt {
namespace {

// Of a version that is in no list, of one in a release that is not installed by itself, and of others
// (apt_preferences(5)).
constexpr int kInstalledPriority = 100;
constexpr int kNotAutomaticPriority = 1;
constexpr int kPriority = 500;
// Text that is read at a time, and more than a paragraph has.
constexpr std::size_t kPiece = 256 << 10;
constexpr std::size_t kMostParagraph = 4 << 20;

struct Named {
  std::string_view package;
  std::string_view architecture;
  std::string_view version;
  std::string_view status;
};

Named ParseNamed(std::string_view paragraph) {
  Named named;
  while (!paragraph.empty()) {
    const std::string_view line = TakeUntil(paragraph, '\n');
    if (const auto package = files::FieldValue(line, "Package")) named.package = *package;
    if (const auto architecture = files::FieldValue(line, "Architecture")) named.architecture = *architecture;
    if (const auto version = files::FieldValue(line, "Version")) named.version = *version;
    if (const auto status = files::FieldValue(line, "Status")) named.status = *status;
  }
  return named;
}

struct Release {
  int priority = kPriority;
  bool security = false;
};

// As apt reads it (StringToBool).
bool IsTrue(std::string_view value) {
  constexpr std::array<std::string_view, 6> kWords{"yes", "true", "with", "on", "enable", "1"};
  return std::ranges::find(kWords, value) != kWords.end();
}

bool IsOtherCompression(std::string_view ending) {
  constexpr std::array<std::string_view, 5> kEndings{".gz", ".xz", ".bz2", ".lzma", ".zst"};
  return std::ranges::find(kEndings, ending) != kEndings.end();
}

Release ParseRelease(std::string_view text) {
  Release release;
  bool automatic = true;
  bool upgrades = false;
  while (!text.empty()) {
    const std::string_view line = TakeUntil(text, '\n');
    // Digests of files follow.
    if (line.starts_with("MD5Sum:") || line.starts_with("SHA")) break;
    for (const char* const field : {"Label", "Suite", "Codename"})
      if (const auto value = files::FieldValue(line, field))
        release.security |= value->ends_with("-security") || value->ends_with("-Security");
    if (const auto value = files::FieldValue(line, "NotAutomatic")) automatic = !IsTrue(*value);
    if (const auto value = files::FieldValue(line, "ButAutomaticUpgrades")) upgrades = IsTrue(*value);
  }
  if (!automatic) release.priority = upgrades ? kInstalledPriority : kNotAutomaticPriority;
  return release;
}

struct Candidate {
  std::string installed;
  int priority = kInstalledPriority;
  std::string version;
  bool security = false;
};

// Names in a folder, sorted, without hidden ones; an error other than ENOENT is left in `error`.
std::vector<std::string> NamesIn(const std::string& folder, int& error) {
  Result<std::vector<std::string>> names = ListNames(AT_FDCWD, folder.c_str(), "", "");
  if (!names && names.error() != ENOENT) error = names.error();
  if (!names) return {};
  std::erase_if(*names, [](const std::string& name) { return name.starts_with('.'); });
  return std::move(*names);
}

// Calls visit(paragraph) for each; 0, or why the file could not be read.
int EachParagraph(const std::string& path, const std::function<void(std::string_view)>& visit) {
  const Result<Fd> file = OpenAt(AT_FDCWD, path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
  if (!file) return file.error();
  const bool compressed = path.ends_with(".lz4");
  Lz4Reader lz4(file->get());
  std::string text;
  const auto append = [&]() -> Result<bool> {
    if (compressed) return lz4.Next(text);
    const std::size_t size = text.size();
    text.resize(size + kPiece);
    ssize_t got = 0;
    do got = ::read(file->get(), text.data() + size, kPiece);
    while (got < 0 && errno == EINTR);
    text.resize(size + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0) return Errno{errno};
    return got > 0;
  };
  std::size_t at = 0;
  for (bool more = true; more;) {
    // The first line break of two may be the last character before.
    const std::size_t searched = std::max(at, text.size() - std::min<std::size_t>(text.size(), 1));
    const Result<bool> appended = append();
    if (!appended) return appended.error();
    more = *appended;
    for (std::size_t end = text.find("\n\n", searched); end != std::string::npos;
         end = text.find("\n\n", at)) {
      visit(std::string_view(text).substr(at, end - at));
      at = end + 2;
    }
    if (text.size() - at > kMostParagraph) return EBADMSG;
    const std::size_t past = std::min(at, text.size() - std::min(text.size(), kLz4History));
    if (past < kPiece) continue;
    text.erase(0, past);
    at -= past;
  }
  if (at < text.size()) visit(std::string_view(text).substr(at));
  return 0;
}

class Updates {
 public:
  explicit Updates(const std::string& root)
      : status_(root + "/var/lib/dpkg/status"),
        lists_(root + "/var/lib/apt/lists"),
        etc_(root + "/etc/apt") {}

  AptUpdates Count() {
    AptUpdates updates{.trouble = Find()};
    if (!updates.trouble.empty()) return updates;
    for (const auto& [key, candidate] : candidates_) {
      if (candidate.version == candidate.installed) continue;
      ++updates.all;
      if (candidate.security) ++updates.security;
    }
    struct stat info {};
    if (::stat(lists_.c_str(), &info) == 0) updates.seconds = static_cast<std::uint64_t>(info.st_mtim.tv_sec);
    return updates;
  }

 private:
  std::string Find() {
    if (const int error = ReadStatus(); error != 0)
      return IsGone(error) ? std::string(kNoDatabase) : ErrnoName(error);
    int error = 0;
    ReadPreferences(error);
    if (error != 0) return ErrnoName(error);
    const std::vector<std::string> names = NamesIn(lists_, error);
    if (error != 0) return ErrnoName(error);
    if (names.empty() && ::access(lists_.c_str(), F_OK) != 0) return kNoDatabase;
    if (error = ReadReleases(names); error != 0) return ErrnoName(error);
    bool any = false;
    for (const std::string& name : names) {
      const std::size_t at = name.rfind("_Packages");
      if (at == std::string::npos) continue;
      const std::string_view ending =
          std::string_view(name).substr(at + std::string_view("_Packages").size());
      if (IsOtherCompression(ending)) return kFormat;
      // Others are not lists, such as .diff_Index.
      if (!ending.empty() && ending != ".lz4") continue;
      any = true;
      error = ReadList(name);
      if (error != 0) return error == EBADMSG ? std::string(kFormat) : ErrnoName(error);
    }
    if (!any) return kNoLists;
    return preferred_ ? kPreferences : "";
  }

  int ReadStatus() {
    std::vector<std::pair<std::string, std::string>> of_all;
    const int error = EachParagraph(status_, [&](std::string_view paragraph) {
      Named named = ParseNamed(paragraph);
      const std::string_view selection = TakeField(named.status);
      static_cast<void>(TakeField(named.status));
      const std::string_view state = TrimBlanks(named.status);
      const bool present = state != "not-installed" && state != "config-files";
      if (named.package.empty() || !present) return;
      if (named.package == "dpkg") native_ = named.architecture;
      if (selection == "hold") return;
      // Which architecture is that of the machine is known at the end.
      if (named.architecture == "all")
        of_all.emplace_back(named.package, named.version);
      else
        Add(KeyOf(named.package, named.architecture), named.version);
    });
    for (const auto& [package, version] : of_all) Add(KeyOf(package, native_), version);
    return error;
  }

  void Add(std::string key, std::string_view version) {
    candidates_.insert_or_assign(
        std::move(key), Candidate{.installed = std::string(version), .version = std::string(version)});
  }

  static std::string KeyOf(std::string_view package, std::string_view architecture) {
    return std::string(package).append(":").append(architecture);
  }

  // Pins of packages by their names are kept: they say nothing of others.
  void ReadPreferences(int& error) {
    EachLine(etc_ + "/preferences", etc_ + "/preferences.d", ".pref", error, [this](std::string_view line) {
      // The field goes on there.
      preferred_ |= line.starts_with(' ') || line.starts_with('\t');
      std::string_view names = files::FieldValue(line, "package").value_or("");
      while (!names.empty()) {
        std::string_view name = TakeField(names);
        preferred_ |= name.starts_with("src:") || name.find_first_of("*?[/") != std::string_view::npos;
        pinned_.emplace(TakeUntil(name, ':'));
      }
    });
    EachLine(etc_ + "/apt.conf", etc_ + "/apt.conf.d", ".conf", error, [this](std::string_view line) {
      line = TrimBlanks(line);
      preferred_ |= !line.starts_with("//") && !line.starts_with('#') &&
                    line.find("default-release") != std::string_view::npos;
    });
  }

  // Each line of the file, and of those in the folder that apt reads, in lower case.
  template <class Visit>
  static void EachLine(const std::string& file, const std::string& folder, std::string_view ending,
                       int& error, Visit visit) {
    std::vector<std::string> paths{file};
    for (const std::string& name : NamesIn(folder, error))
      if (name.find('.') == std::string::npos || name.ends_with(ending))
        paths.push_back(std::string(folder).append("/").append(name));
    for (const std::string& path : paths) {
      const Result<std::string_view> text = ReadFile(AT_FDCWD, path.c_str());
      if (!text && !IsGone(text.error()) && text.error() != EISDIR) error = text.error();
      if (!text) continue;
      std::string lower(*text);
      std::ranges::transform(lower, lower.begin(), LowerAscii);
      for (std::string_view rest = lower; !rest.empty();) visit(TakeUntil(rest, '\n'));
    }
  }

  // By what the names of their lists begin with.
  int ReadReleases(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const std::size_t at = name.ends_with("_InRelease") ? name.rfind("InRelease")
                             : name.ends_with("_Release") ? name.rfind("Release")
                                                          : std::string::npos;
      if (at == std::string::npos) continue;
      const Result<std::string_view> text = ReadFile(AT_FDCWD, (lists_ + "/" + name).c_str());
      if (!text) return text.error();
      releases_[name.substr(0, at)] = ParseRelease(*text);
    }
    return 0;
  }

  // A list without a release has the priority of others.
  Release ReleaseOf(std::string_view list) const {
    Release release;
    // Sorted: of two that fit, the longer one is later.
    for (const auto& [start, one] : releases_)
      if (list.starts_with(start)) release = one;
    return release;
  }

  int ReadList(const std::string& name) {
    const Release release = ReleaseOf(name);
    return EachParagraph(lists_ + "/" + name, [&](std::string_view paragraph) {
      const Named named = ParseNamed(paragraph);
      const auto found =
          candidates_.find(KeyOf(named.package, named.architecture == "all" ? native_ : named.architecture));
      if (found == candidates_.end()) return;
      Candidate& candidate = found->second;
      const int order = CompareDebVersions(named.version, candidate.installed);
      if (order < 0) return;
      preferred_ |= order > 0 && pinned_.contains(named.package);
      if (order > 0 && release.priority > kNotAutomaticPriority) candidate.security |= release.security;
      const bool better = release.priority != candidate.priority
                              ? release.priority > candidate.priority
                              : CompareDebVersions(named.version, candidate.version) > 0;
      if (!better) return;
      candidate.priority = release.priority;
      candidate.version = order == 0 ? candidate.installed : std::string(named.version);
    });
  }

  const std::string status_;
  const std::string lists_;
  const std::string etc_;
  // The architecture of the machine.
  std::string native_;
  // By NAME:ARCHITECTURE.
  std::unordered_map<std::string, Candidate> candidates_;
  std::map<std::string, Release, std::less<>> releases_;
  // Packages with a priority of their own.
  std::set<std::string, std::less<>> pinned_;
  // Priorities that are set decide what a newer version is.
  bool preferred_ = false;
};

}  // namespace

AptUpdates UpdatesOfApt(const std::string& root) { return Updates(root).Count(); }

}  // namespace desk::apt
