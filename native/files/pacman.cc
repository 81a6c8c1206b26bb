#include "files/pacman.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <functional>
#include <optional>
#include <string_view>

#include "core/errno_name.h"
#include "core/open_at.h"
#include "core/read.h"
#include "core/siphash.h"
#include "core/text.h"
#include "files/inflate.h"
#include "files/search.h"
#include "files/stat.h"

namespace desk::files {
namespace {

// Bytes of an mtree; one of the largest packages has ten million.
constexpr std::size_t kMostMtree = 64 << 20;
// A lock that is older was left by a crash.
constexpr std::int64_t kMostInstalling = 3'600'000'000'000;

// Calls back with the lines below "%NAME%", up to an empty one.
void EachLineOf(std::string_view text, std::string_view name,
                const std::function<void(std::string_view)>& visit) {
  bool inside = false;
  while (!text.empty()) {
    const std::string_view line = TakeUntil(text, '\n');
    if (line.starts_with('%'))
      inside = line == name;
    else if (inside && !line.empty())
      visit(line);
  }
}

std::string FirstOf(std::string_view text, std::string_view name) {
  std::string value;
  EachLineOf(text, name, [&](std::string_view line) {
    if (value.empty()) value = line;
  });
  return value;
}

Result<std::string> TextIn(const std::string& folder, const char* name) {
  const Result<std::string_view> text = ReadFile(AT_FDCWD, std::string(folder).append(name).c_str());
  if (!text) return text.refusal();
  return std::string(*text);
}

}  // namespace

bool Pacman::IsBusy() const {
  struct stat info {};
  if (::stat((admin_ + "/db.lck").c_str(), &info) != 0) return false;
  struct timespec clock {};
  ::clock_gettime(CLOCK_REALTIME, &clock);
  return Nanoseconds(clock) - Nanoseconds(info.st_ctim) < kMostInstalling;
}

// A package that comes or goes is a folder that does; its files are whole when the lock is gone.
std::vector<std::string> Pacman::Sources() const { return {admin_ + "/local", admin_ + "/db.lck"}; }

std::string Pacman::Load() {
  folders_.clear();
  const std::string local = admin_ + "/local";
  const Result<Fd> opened = OpenAt(AT_FDCWD, local.c_str(), O_PATH | O_DIRECTORY, 0);
  if (!opened) return IsGone(opened.error()) ? std::string(kNone) : ErrnoName(opened.error());
  std::size_t entries = 0;
  const Result<std::vector<std::string>> names = NamesIn(*opened, entries);
  if (!names) return ErrnoName(names.error());
  for (const std::string& name : *names) {
    const int error = LoadPackage(std::string(local).append("/").append(name));
    // ALPM_DB_VERSION, and what is not a package.
    if (error == ENOTDIR) continue;
    if (IsFull()) return ErrnoName(EFBIG);
    if (error != 0) return std::string("local/").append(name).append(": ").append(ErrnoName(error));
  }
  return std::string(kRead);
}

int Pacman::LoadPackage(const std::string& folder) {
  const Result<std::string> description = TextIn(folder, "/desc");
  if (!description) return description.error();
  const Result<std::string> list = TextIn(folder, "/files");
  if (!list) return list.error();
  const std::string name = FirstOf(*description, "%NAME%");
  if (name.empty()) return EBADMSG;
  // It is a word of requests.
  const std::string id = "pacman:" + folder.substr(folder.rfind('/') + 1);
  if (std::ranges::any_of(id, [](char c) { return c <= ' ' || c > '~'; })) return EBADMSG;
  const auto installed = ParseNumber<std::uint32_t>(FirstOf(*description, "%INSTALLDATE%"));
  const std::uint32_t number = Add(Package{.id = id,
                                           .name = name,
                                           .version = FirstOf(*description, "%VERSION%"),
                                           .installed = installed.value_or(0) * kSecondNs});
  folders_.push_back(folder);
  std::vector<std::uint64_t> configuration;
  EachLineOf(*list, "%BACKUP%", [&](std::string_view line) {
    const std::string path = std::string("/").append(TakeUntil(line, '\t'));
    configuration.push_back(HashIdentity(Canonical(path)));
  });
  // Without a digest its files are owned all the same.
  std::vector<File> files;
  static_cast<void>(EachFile(folder, [&](const MtreeEntry& entry) {
    const std::uint64_t path = HashIdentity(Canonical(entry.path));
    const bool changes = std::ranges::find(configuration, path) != configuration.end();
    files.push_back({.path = path,
                     .package = number,
                     .mode = entry.mode.value_or(kNoMode),
                     .digested = true,
                     .configuration = changes,
                     .digest = *entry.digest});
  }));
  std::ranges::sort(files, {}, &File::path);
  for (const File& file : files) Add(file);
  EachLineOf(*list, "%FILES%", [&](std::string_view line) {
    const std::uint64_t path = HashIdentity(Canonical(std::string("/").append(line)));
    if (!line.ends_with('/') && !std::ranges::binary_search(files, path, {}, &File::path))
      Add(File{.path = path, .package = number});
  });
  return 0;
}

int Pacman::EachFile(const std::string& folder, const std::function<void(const MtreeEntry&)>& visit) const {
  const Result<std::string_view> packed = ReadFile(AT_FDCWD, (folder + "/mtree").c_str());
  if (!packed) return packed.error();
  const Result<std::string> text = Gunzip(*packed, kMostMtree);
  if (!text) return text.error();
  const bool whole = EachMtreeEntry(*text, [&](const MtreeEntry& entry) {
    // Those of the package itself begin with a dot: .PKGINFO, .INSTALL.
    if (entry.regular && entry.digest && !entry.path.starts_with("/.")) visit(entry);
  });
  return whole ? 0 : EBADMSG;
}

int Pacman::EachDigest(const Package& package, const Visit& visit) const {
  const auto number = static_cast<std::size_t>(&package - packages().data());
  return EachFile(folders_[number], [&](const MtreeEntry& entry) {
    const std::string path = Canonical(entry.path);
    const std::vector<Owner> owners = OwnersOf(path);
    const bool configuration = std::ranges::any_of(
        owners, [&](const Owner& owner) { return owner.package == &package && owner.configuration; });
    if (!configuration) visit(path, *entry.digest);
  });
}

}  // namespace desk::files
