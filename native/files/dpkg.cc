#include "files/dpkg.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

#include "core/errno_name.h"
#include "core/read.h"
#include "core/result.h"
#include "core/siphash.h"
#include "core/text.h"
#include "files/deb822.h"
#include "files/stat.h"

namespace desk::files {
namespace {

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
    if (const auto package = FieldValue(line, "Package")) paragraph.package = *package;
    if (const auto architecture = FieldValue(line, "Architecture")) paragraph.architecture = *architecture;
    if (const auto version = FieldValue(line, "Version")) paragraph.version = *version;
    if (const auto status = FieldValue(line, "Status")) paragraph.status = *status;
    if (const auto multi = FieldValue(line, "Multi-Arch")) paragraph.same = *multi == "same";
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

bool Dpkg::IsBusy() const { return IsLocked(admin_ + "/lock-frontend") || IsLocked(admin_ + "/lock"); }

// dpkg replaces the status file in every run.
std::vector<std::string> Dpkg::Sources() const {
  return {admin_ + "/status", admin_ + "/info", admin_ + "/diversions"};
}

std::string Dpkg::Load() {
  diversions_.clear();
  ReadDiversions();
  int error = ReadStatus();
  const auto count = static_cast<std::uint32_t>(packages().size());
  for (std::uint32_t at = 0; at < count && error == 0; ++at) {
    if (!PackageAt(at).removed) error = ReadList(at);
    AddInformation(at);
  }
  if (error != 0) return IsGone(error) ? std::string(kNone) : ErrnoName(error);
  // A configuration file is in the list of its package too.
  SortFiles();
  for (std::uint32_t at = 0; at < count; ++at)
    if (!PackageAt(at).removed) ReadDigests(at);
  return std::string(kRead);
}

int Dpkg::ReadStatus() {
  const Result<std::string_view> text = ReadFile(AT_FDCWD, (admin_ + "/status").c_str());
  if (!text) return text.error();
  // The buffer is that of the next file too.
  const std::string copy(*text);
  for (std::string_view rest = copy; !rest.empty();) {
    const Paragraph paragraph = ParseParagraph(TakeParagraph(rest));
    if (paragraph.package.empty() || paragraph.status.ends_with(" not-installed")) continue;
    // What its files in the database are called: with the architecture where several may be installed.
    std::string id(paragraph.package);
    if (paragraph.same) id.append(":").append(paragraph.architecture);
    const std::uint32_t number = Add(Package{.id = std::move(id),
                                             .name = std::string(paragraph.package),
                                             .version = std::string(paragraph.version),
                                             .removed = paragraph.status.ends_with(" config-files")});
    for (std::string_view line : paragraph.configuration) {
      const std::string_view path = TakeField(line);
      const std::optional<Digest> digest = ParseDigest(Algorithm::kMd5, TakeField(line));
      if (!digest) continue;
      Add(File{.path = HashIdentity(PlaceOf(PackageAt(number), path)),
               .package = number,
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

int Dpkg::ReadList(std::uint32_t number) {
  const Result<std::string_view> text =
      ReadFile(AT_FDCWD, (admin_ + "/info/" + PackageAt(number).id + ".list").c_str());
  // A package without files may have none.
  if (!text) return IsGone(text.error()) ? 0 : text.error();
  for (std::string_view rest = *text; !rest.empty();) {
    const std::string_view file = TakeUntil(rest, '\n');
    if (file.size() < 2 || file == "/.") continue;
    Add(File{.path = HashIdentity(PlaceOf(PackageAt(number), file)), .package = number});
  }
  return 0;
}

void Dpkg::AddInformation(std::uint32_t number) {
  const std::string stem = admin_ + "/info/" + PackageAt(number).id + ".";
  struct stat info {};
  // The list is written when the files are unpacked, and when they are removed.
  if (::stat((stem + "list").c_str(), &info) == 0) PackageAt(number).installed = Nanoseconds(info.st_ctim);
  for (const char* const kind : {"preinst", "postinst", "prerm", "postrm", "config"})
    Add(File{.path = HashIdentity(Canonical(stem + kind)), .package = number});
}

void Dpkg::ReadDigests(std::uint32_t number) {
  // Where they cannot be read, files are owned and have no digest.
  static_cast<void>(
      EachListed(PackageAt(number), [this, number](const std::string& path, const Digest& digest) {
        const std::uint64_t hash = HashIdentity(path);
        for (auto file = FirstAt(hash); file != files().end() && file->path == hash; ++file) {
          if (file->package != number || file->configuration) continue;
          file->digested = true;
          file->digest = digest;
        }
      }));
}

int Dpkg::EachListed(const Package& package, const Visit& visit) const {
  const Result<std::string_view> text =
      ReadFile(AT_FDCWD, (admin_ + "/info/" + package.id + ".md5sums").c_str());
  if (!text) return IsGone(text.error()) ? 0 : text.error();
  for (std::string_view rest = *text; !rest.empty();) {
    std::string_view line = TakeUntil(rest, '\n');
    const std::optional<Digest> digest = ParseDigest(Algorithm::kMd5, TakeUntil(line, ' '));
    if (digest) visit(PlaceOf(package, std::string("/").append(TrimBlanks(line))), *digest);
  }
  return 0;
}

void Dpkg::EachOther(const Package& package, const VisitOther& visit) const {
  std::unordered_set<std::string> digested;
  static_cast<void>(
      EachListed(package, [&](const std::string& path, const Digest&) { digested.insert(path); }));
  const Result<std::string_view> text =
      ReadFile(AT_FDCWD, (admin_ + "/info/" + package.id + ".list").c_str());
  if (!text) return;
  // The buffer is that of the next file too.
  const std::string list(*text);
  for (std::string_view rest = list; !rest.empty();) {
    const std::string_view line = TakeUntil(rest, '\n');
    // A folder, before what is in it.
    if (rest.starts_with(std::string(line) + "/")) continue;
    const std::string path = PlaceOf(package, line);
    if (digested.contains(path)) continue;
    const std::vector<Owner> owners = OwnersOf(path);
    if (std::ranges::any_of(owners, [](const Owner& owner) { return owner.configuration; })) continue;
    struct stat info {};
    if (::lstat(path.c_str(), &info) == 0) visit(path, info);
  }
}

int Dpkg::EachDigest(const Package& package, const Visit& visit) const {
  return EachListed(
      package,
      [&](const std::string& path, const Digest& digest) {
        const std::vector<Owner> owners = OwnersOf(path);
        const bool configuration = std::ranges::any_of(
            owners, [&](const Owner& owner) { return owner.package == &package && owner.configuration; });
        if (!configuration) visit(path, digest);
      });
}

std::string Dpkg::PlaceOf(const Package& package, std::string_view path) const {
  std::string place = Canonical(path);
  for (const Diversion& diversion : diversions_)
    if (diversion.from == place && diversion.package != package.name) return diversion.to;
  return place;
}

}  // namespace desk::files
