#include "files/verify.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <utility>

#include "core/errno_name.h"
#include "core/open_at.h"
#include "core/result.h"
#include "files/stat.h"
#include "peek/sha256.h"

namespace desk::files {
namespace {

// Later changes may have the same time: the kernel's clock of change times has steps of some milliseconds.
constexpr std::int64_t kSettled = 2'000'000'000;

constexpr const char* kOtherAlgorithm = " files have a digest of an algorithm that is not supported";
constexpr const char* kUndigested = " of its files have no recorded digest";
constexpr const char* kMoreUnread = "more of its files could not be read";
constexpr const char* kMoreAltered = "more of its files are altered than are listed";
// Unread files of one package that are named.
constexpr std::size_t kMostUnread = 1'000;

struct Packaged {
  std::string path;
  Digest expected{};
  // Of the path itself, and of the file behind a link.
  struct stat own {};
  struct stat info {};
};

Altered AlteredOf(const Packaged& file, const Digest& found, bool program) {
  return {.path = file.path,
          .expected = file.expected,
          .found = found,
          .mode = file.info.st_mode & 07777,
          .changed = Nanoseconds(file.own.st_ctim),
          .program = program};
}

std::string SealOf(const std::vector<Packaged>& files) {
  Sha256 sha256;
  for (const Packaged& file : files) {
    std::string text(file.path);
    text += '\0';
    text.append(DigestText(file.expected)).append(" ");
    for (const struct stat* const info : {&file.own, &file.info})
      for (const std::int64_t number :
           {static_cast<std::int64_t>(info->st_dev), static_cast<std::int64_t>(info->st_ino),
            static_cast<std::int64_t>(info->st_mode), static_cast<std::int64_t>(info->st_uid),
            static_cast<std::int64_t>(info->st_gid), static_cast<std::int64_t>(info->st_size),
            Nanoseconds(info->st_mtim), Nanoseconds(info->st_ctim)})
        text.append(std::to_string(number)).append(" ");
    sha256.Take(text);
  }
  return sha256.End();
}

bool BeginsAsProgram(std::string_view bytes) {
  constexpr std::string_view kElf = "\177ELF";
  // MZ: kernels and boot loaders.
  return bytes.starts_with(kElf) || bytes.starts_with("#!") || bytes.starts_with("MZ");
}

// 0, or why it could not be read. `altered` is filled in where the content is another.
int Compare(const Packaged& file, std::optional<Altered>& altered) {
  const int link = S_ISLNK(file.own.st_mode) ? 0 : O_NOFOLLOW;
  const Result<Fd> opened = OpenAt(AT_FDCWD, file.path.c_str(),
                                   static_cast<std::uint64_t>(O_RDONLY | O_NONBLOCK | O_NOCTTY | link), 0);
  if (!opened) return opened.error();
  static std::array<char, 256 << 10> buffer;
  Hasher hasher(file.expected.algorithm);
  bool program = false;
  bool first = true;
  for (;;) {
    const ssize_t got = ::read(opened->get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) break;
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
    if (first) program = BeginsAsProgram(bytes);
    first = false;
    hasher.Take(bytes);
  }
  struct stat after {};
  if (::fstat(opened->get(), &after) != 0) return errno;
  if (!IsUnchanged(file.info, after)) return EBUSY;
  const Digest found = hasher.End();
  if (found == file.expected) return 0;
  altered = AlteredOf(file, found, program);
  return 0;
}

// A library is loaded whatever it begins with.
bool IsCode(const Altered& file) {
  return file.program || (file.mode & 0111) != 0 || file.path.find(".so") != std::string::npos;
}

// A link of a package that leads to a program which no package has.
std::optional<Altered> LeadsAway(const Package& package, const std::string& path, const struct stat& own) {
  Packaged link{.path = path, .expected = {}, .own = own};
  std::array<char, PATH_MAX> real{};
  if (::stat(path.c_str(), &link.info) != 0 || !S_ISREG(link.info.st_mode) ||
      ::realpath(path.c_str(), real.data()) == nullptr || !package.database->OwnersOf(real.data()).empty())
    return std::nullopt;
  std::optional<Altered> found;
  // A file that cannot be read may be data.
  if (Compare(link, found) != 0 || !found || !IsCode(*found)) return std::nullopt;
  return found;
}

}  // namespace

Verification Verify(const Package& package, std::string_view seal) {
  Verification result;
  std::vector<Packaged> files;
  struct timespec clock {};
  ::clock_gettime(CLOCK_REALTIME, &clock);
  std::int64_t newest = 0;
  bool cut = false;
  std::size_t others = 0;
  const auto unread = [&](const std::string& path, std::string reason) {
    if (result.unread.size() < kMostUnread)
      result.unread.push_back({.path = path, .reason = std::move(reason)});
    else if (result.unread.size() == kMostUnread)
      result.unread.push_back({.path = "package " + package.id, .reason = kMoreUnread});
  };
  const auto altered = [&](Altered file) {
    if (result.altered.size() < kMostAltered)
      result.altered.push_back(std::move(file));
    else if (result.altered.size() == kMostAltered && !std::exchange(cut, true))
      unread("package " + package.id, kMoreAltered);
  };
  const int error = package.database->EachDigest(package, [&](const std::string& path, const Digest& digest) {
    Packaged file{.path = path, .expected = digest};
    ++result.files;
    if (::lstat(path.c_str(), &file.own) != 0) {
      // What an administrator has left out or removed is not another content.
      if (IsGone(errno) || errno == ENOTDIR)
        ++result.missing;
      else
        unread(path, ErrnoName(errno));
      return;
    }
    if (digest.algorithm == Algorithm::kOther) {
      ++others;
      return;
    }
    // Packages record digests of regular files alone: a link is as good where it leads to the same content.
    file.info = file.own;
    const bool link = S_ISLNK(file.own.st_mode);
    if ((link && ::stat(path.c_str(), &file.info) != 0) || !S_ISREG(file.info.st_mode)) {
      return altered(AlteredOf(file, {.algorithm = digest.algorithm}, true));
    }
    newest = std::max({newest, Nanoseconds(file.own.st_ctim), Nanoseconds(file.info.st_ctim)});
    files.push_back(std::move(file));
  });
  if (error != 0) unread("digests of " + package.id, ErrnoName(error));
  if (others > 0) unread("package " + package.id, std::to_string(others).append(kOtherAlgorithm));
  const std::string now = SealOf(files);
  const bool sealed = now == seal && result.altered.empty() && result.unread.empty();
  if (sealed) files.clear();
  for (const Packaged& file : files) {
    std::optional<Altered> found;
    const int failed = Compare(file, found);
    if (failed != 0) unread(file.path, ErrnoName(failed));
    if (found) altered(std::move(*found));
  }
  std::size_t undigested = 0;
  package.database->EachOther(package, [&](const std::string& path, const struct stat& info) {
    if (S_ISREG(info.st_mode)) ++undigested;
    if (!S_ISLNK(info.st_mode)) return;
    std::optional<Altered> away = LeadsAway(package, path, info);
    if (away) altered(std::move(*away));
  });
  const bool settled = sealed || newest + kSettled < Nanoseconds(clock);
  if (settled && result.altered.empty() && result.unread.empty()) result.seal = now;
  // These are never read: the seal is of the others.
  if (undigested > 0) unread("package " + package.id, std::to_string(undigested).append(kUndigested));
  return result;
}

}  // namespace desk::files
