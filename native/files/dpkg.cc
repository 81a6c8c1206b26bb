#include "files/dpkg.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <tuple>
#include <utility>

#include "core/open_at.h"
#include "core/read.h"
#include "core/siphash.h"
#include "core/text.h"
#include "files/stat.h"

namespace desk::files {
namespace {

constexpr std::array<std::string_view, 6> kMerged{"bin", "sbin", "lib", "lib32", "lib64", "libx32"};

// Of no bytes at all: says nothing about where a file comes from.
constexpr Md5Digest kEmpty{0xd4, 0x1d, 0x8c, 0xd9, 0x8f, 0x00, 0xb2, 0x04,
                           0xe9, 0x80, 0x09, 0x98, 0xec, 0xf8, 0x42, 0x7e};

std::optional<Md5Digest> ParseMd5(std::string_view text) {
  Md5Digest digest{};
  if (text.size() != 2 * digest.size()) return std::nullopt;
  for (std::size_t at = 0; at < digest.size(); ++at)
    if (!ParseInto(digest[at], text.substr(2 * at, 2), 16)) return std::nullopt;
  return digest;
}

// The value of a field of deb822(5), when the line has it.
std::optional<std::string_view> ValueOf(std::string_view line, std::string_view field) {
  if (line.size() <= field.size() || !line.starts_with(field) || line[field.size()] != ':')
    return std::nullopt;
  return TrimBlanks(line.substr(field.size() + 1));
}

// One paragraph of the status file.
struct Paragraph {
  std::string_view package;
  std::string_view architecture;
  std::string_view version;
  std::string_view status;
  bool same = false;
  // Lines of "PATH DIGEST [obsolete]".
  std::vector<std::string_view> configuration;
};

Paragraph ParseParagraph(std::string_view text) {
  Paragraph paragraph;
  bool in_configuration = false;
  while (!text.empty()) {
    const std::string_view line = TakeUntil(text, '\n');
    if (in_configuration && line.starts_with(' ')) {
      paragraph.configuration.push_back(TrimBlanks(line));
      continue;
    }
    in_configuration = line.starts_with("Conffiles:");
    if (const auto package = ValueOf(line, "Package")) paragraph.package = *package;
    if (const auto architecture = ValueOf(line, "Architecture")) paragraph.architecture = *architecture;
    if (const auto version = ValueOf(line, "Version")) paragraph.version = *version;
    if (const auto status = ValueOf(line, "Status")) paragraph.status = *status;
    if (const auto multi = ValueOf(line, "Multi-Arch")) paragraph.same = *multi == "same";
  }
  return paragraph;
}

std::string_view TakeParagraph(std::string_view& rest) {
  const std::size_t at = rest.find("\n\n");
  const std::string_view taken = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + 2);
  return taken;
}

}  // namespace

Dpkg::Dpkg(std::string admin, std::string root) : admin_(std::move(admin)), root_(std::move(root)) {}

Result<bool> Dpkg::Refresh() {
  std::vector<std::int64_t> stamps = Stamps();
  if (stamps == stamps_) return !packages_.empty();
  packages_.clear();
  files_.clear();
  digested_.clear();
  diversions_.clear();
  stamps_.clear();
  const int error = Load();
  if (error != 0) {
    packages_.clear();
    files_.clear();
    digested_.clear();
    if (IsGone(error)) {
      stamps_ = std::move(stamps);
      return false;
    }
    return Errno{error};
  }
  // Changed meanwhile: read again by the next call.
  if (Stamps() == stamps) stamps_ = std::move(stamps);
  return !packages_.empty();
}

std::vector<Owner> Dpkg::OwnersOf(std::string_view path) const {
  std::vector<Owner> owners;
  const std::uint64_t hash = HashIdentity(Canonical(path));
  for (auto file = std::ranges::lower_bound(files_, hash, {}, &File::path);
       file != files_.end() && file->path == hash; ++file)
    owners.push_back({.package = &packages_[file->package],
                      .digest = file->digested ? std::optional(file->digest) : std::nullopt,
                      .configuration = file->configuration});
  return owners;
}

const Package* Dpkg::PackageWith(const Md5Digest& content) const {
  const auto found = std::ranges::lower_bound(digested_, content, {},
                                              [this](std::uint32_t at) { return files_[at].digest; });
  if (found == digested_.end() || files_[*found].digest != content) return nullptr;
  return &packages_[files_[*found].package];
}

bool Dpkg::IsBusy() const {
  for (const char* const name : {"/lock-frontend", "/lock"}) {
    const Result<Fd> lock = OpenAt(AT_FDCWD, (admin_ + name).c_str(), O_RDONLY | O_NONBLOCK, 0);
    if (!lock) continue;
    struct flock held {};
    held.l_type = F_WRLCK;
    held.l_whence = SEEK_SET;
    if (::fcntl(lock->get(), F_GETLK, &held) == 0 && held.l_type != F_UNLCK) return true;
  }
  return false;
}

// Modification and change times of what is read: dpkg replaces the status file in every run.
std::vector<std::int64_t> Dpkg::Stamps() const {
  std::vector<std::int64_t> stamps;
  for (const char* const name : {"/status", "/info", "/diversions"}) {
    struct stat info {};
    const bool there = ::stat((admin_ + name).c_str(), &info) == 0;
    stamps.push_back(there ? Nanoseconds(info.st_mtim) : -errno);
    stamps.push_back(there ? Nanoseconds(info.st_ctim) : 0);
    stamps.push_back(there ? static_cast<std::int64_t>(info.st_ino) : 0);
  }
  return stamps;
}

int Dpkg::Load() {
  aliases_.clear();
  for (const std::string_view name : kMerged) {
    struct stat info {};
    const std::string path = root_ + std::string(name);
    if (::lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode)) aliases_.emplace_back(name);
  }
  ReadDiversions();
  if (const int error = ReadStatus(); error != 0) return error;
  for (std::uint32_t at = 0; at < packages_.size(); ++at) {
    if (packages_[at].removed) continue;
    if (const int error = ReadList(at); error != 0) return error;
  }
  // A configuration file is in the list of its package too.
  std::ranges::sort(
      files_, {}, [](const File& file) { return std::tuple(file.path, file.package, !file.configuration); });
  const auto same = [](const File& one, const File& other) {
    return one.path == other.path && one.package == other.package;
  };
  files_.erase(std::unique(files_.begin(), files_.end(), same), files_.end());
  for (std::uint32_t at = 0; at < packages_.size(); ++at)
    if (!packages_[at].removed) ReadDigests(at);
  files_.shrink_to_fit();
  for (std::uint32_t at = 0; at < files_.size(); ++at)
    if (files_[at].digested && files_[at].digest != kEmpty) digested_.push_back(at);
  std::ranges::sort(digested_, {}, [this](std::uint32_t at) { return files_[at].digest; });
  return 0;
}

int Dpkg::ReadStatus() {
  const Result<std::string_view> text = ReadFile(AT_FDCWD, (admin_ + "/status").c_str());
  if (!text) return text.error();
  // The buffer is that of the next file too.
  const std::string copy(*text);
  for (std::string_view rest = copy; !rest.empty();) {
    const Paragraph paragraph = ParseParagraph(TakeParagraph(rest));
    if (paragraph.package.empty() || paragraph.status.ends_with(" not-installed")) continue;
    const auto package = static_cast<std::uint32_t>(packages_.size());
    std::string list(paragraph.package);
    if (paragraph.same) list.append(":").append(paragraph.architecture);
    packages_.push_back({.name = std::string(paragraph.package),
                         .list = std::move(list),
                         .version = std::string(paragraph.version),
                         .removed = paragraph.status.ends_with(" config-files")});
    for (std::string_view line : paragraph.configuration) {
      const std::string_view path = TakeField(line);
      const std::optional<Md5Digest> digest = ParseMd5(TakeField(line));
      if (!digest) continue;
      files_.push_back({.path = HashIdentity(PlaceOf(package, path)),
                        .package = package,
                        .digested = true,
                        .configuration = true,
                        .digest = *digest});
    }
  }
  return 0;
}

// Three lines each: the path of the package, where it lies instead, and the package that has the path now,
// `:` for the administrator (dpkg-divert(1)).
void Dpkg::ReadDiversions() {
  const Result<std::string_view> text = ReadFile(AT_FDCWD, (admin_ + "/diversions").c_str());
  if (!text) return;
  for (std::string_view rest = *text; !rest.empty();) {
    const std::string_view from = TakeUntil(rest, '\n');
    const std::string_view to = TakeUntil(rest, '\n');
    const std::string_view package = TakeUntil(rest, '\n');
    if (!package.empty())
      diversions_.push_back({.from = Canonical(from), .to = Canonical(to), .package = std::string(package)});
  }
}

int Dpkg::ReadList(std::uint32_t package) {
  const std::string path = admin_ + "/info/" + packages_[package].list + ".list";
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) packages_[package].installed = Nanoseconds(info.st_ctim);
  const Result<std::string_view> text = ReadFile(AT_FDCWD, path.c_str());
  // A package without files may have none.
  if (!text) return IsGone(text.error()) ? 0 : text.error();
  for (std::string_view rest = *text; !rest.empty();) {
    const std::string_view file = TakeUntil(rest, '\n');
    if (file.size() < 2 || file == "/.") continue;
    files_.push_back({.path = HashIdentity(PlaceOf(package, file)), .package = package});
  }
  return 0;
}

void Dpkg::ReadDigests(std::uint32_t package) {
  // Where they cannot be read, files are owned and have no digest.
  static_cast<void>(EachListed(package, [this, package](const std::string& path, const Md5Digest& digest) {
    const std::uint64_t hash = HashIdentity(path);
    for (auto file = std::ranges::lower_bound(files_, hash, {}, &File::path);
         file != files_.end() && file->path == hash; ++file) {
      if (file->package != package || file->configuration) continue;
      file->digested = true;
      file->digest = digest;
    }
  }));
}

int Dpkg::EachListed(std::uint32_t package,
                     const std::function<void(const std::string&, const Md5Digest&)>& visit) const {
  const Result<std::string_view> text =
      ReadFile(AT_FDCWD, (admin_ + "/info/" + packages_[package].list + ".md5sums").c_str());
  if (!text) return IsGone(text.error()) ? 0 : text.error();
  for (std::string_view rest = *text; !rest.empty();) {
    std::string_view line = TakeUntil(rest, '\n');
    const std::optional<Md5Digest> digest = ParseMd5(TakeUntil(line, ' '));
    if (digest) visit(PlaceOf(package, std::string("/").append(TrimBlanks(line))), *digest);
  }
  return 0;
}

int Dpkg::EachDigest(const Package& package,
                     const std::function<void(const std::string&, const Md5Digest&)>& visit) const {
  const auto number = static_cast<std::uint32_t>(&package - packages_.data());
  return EachListed(number, [&](const std::string& path, const Md5Digest& digest) {
    const std::vector<Owner> owners = OwnersOf(path);
    const bool configuration = std::ranges::any_of(
        owners, [&](const Owner& owner) { return owner.package == &package && owner.configuration; });
    if (!configuration) visit(path, digest);
  });
}

std::string Dpkg::Canonical(std::string_view path) const {
  std::string_view rest = path;
  TakeUntil(rest, '/');
  const std::string_view top = TakeUntil(rest, '/');
  if (rest.empty() || std::ranges::find(aliases_, top) == aliases_.end()) return std::string(path);
  return std::string("/usr").append(path);
}

std::string Dpkg::PlaceOf(std::uint32_t package, std::string_view path) const {
  std::string place = Canonical(path);
  for (const Diversion& diversion : diversions_)
    if (diversion.from == place && diversion.package != packages_[package].name) return diversion.to;
  return place;
}

}  // namespace desk::files
