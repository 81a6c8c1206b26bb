#include "files/verify.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <optional>

#include "core/open_at.h"
#include "core/result.h"
#include "files/stat.h"
#include "peek/sha256.h"

namespace desk::files {
namespace {

// Later changes may have the same time: the kernel's clock of change times has steps of some milliseconds.
constexpr std::int64_t kSettled = 2'000'000'000;

struct Packaged {
  std::string path;
  Md5Digest expected{};
  struct stat info {};
};

std::string SealOf(const std::vector<Packaged>& files) {
  Sha256 sha256;
  for (const Packaged& file : files) {
    const struct stat& info = file.info;
    std::string text(file.path);
    text += '\0';
    text.append(reinterpret_cast<const char*>(file.expected.data()), file.expected.size());
    for (const std::int64_t number :
         {static_cast<std::int64_t>(info.st_dev), static_cast<std::int64_t>(info.st_ino),
          static_cast<std::int64_t>(info.st_mode), static_cast<std::int64_t>(info.st_uid),
          static_cast<std::int64_t>(info.st_gid), static_cast<std::int64_t>(info.st_size),
          Nanoseconds(info.st_mtim), Nanoseconds(info.st_ctim)})
      text.append(std::to_string(number)).append(" ");
    sha256.Take(text);
  }
  return sha256.End();
}

bool BeginsAsProgram(std::string_view bytes) {
  constexpr std::string_view kElf = "\177ELF";
  return bytes.starts_with(kElf) || bytes.starts_with("#!");
}

// 0, or why it could not be read. `altered` is filled in where the content is another.
int Compare(const Packaged& file, std::optional<Altered>& altered) {
  const Result<Fd> opened =
      OpenAt(AT_FDCWD, file.path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
  if (!opened) return opened.error();
  static std::array<char, 256 << 10> buffer;
  Md5 md5;
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
    md5.Take(bytes);
  }
  struct stat after {};
  if (::fstat(opened->get(), &after) != 0) return errno;
  if (!IsUnchanged(file.info, after)) return EBUSY;
  const Md5Digest found = md5.End();
  if (found == file.expected) return 0;
  altered = Altered{.path = file.path,
                    .expected = file.expected,
                    .found = found,
                    .mode = file.info.st_mode & 07777,
                    .uid = file.info.st_uid,
                    .size = static_cast<std::uint64_t>(file.info.st_size),
                    .changed = Nanoseconds(file.info.st_ctim),
                    .program = program};
  return 0;
}

}  // namespace

Verification Verify(const Dpkg& dpkg, const Package& package, std::string_view seal) {
  Verification result;
  std::vector<Packaged> files;
  struct timespec clock {};
  ::clock_gettime(CLOCK_REALTIME, &clock);
  std::int64_t newest = 0;
  dpkg.EachDigest(package, [&](const std::string& path, const Md5Digest& digest) {
    Packaged file{.path = path, .expected = digest};
    ++result.files;
    if (::lstat(path.c_str(), &file.info) != 0) {
      // What an administrator has left out or removed is no other content.
      if (IsGone(errno) || errno == ENOTDIR)
        ++result.missing;
      else
        result.unread.push_back({.path = path, .error = errno});
      return;
    }
    if (!S_ISREG(file.info.st_mode)) return;
    newest = std::max(newest, Nanoseconds(file.info.st_ctim));
    files.push_back(std::move(file));
  });
  const std::string now = SealOf(files);
  if (now == seal) {
    result.same = true;
    result.seal = now;
    return result;
  }
  for (const Packaged& file : files) {
    std::optional<Altered> altered;
    const int error = Compare(file, altered);
    if (error != 0) result.unread.push_back({.path = file.path, .error = error});
    if (altered && result.altered.size() < kMostAltered) result.altered.push_back(std::move(*altered));
  }
  const bool settled = newest + kSettled < Nanoseconds(clock);
  if (settled && result.altered.empty() && result.unread.empty()) result.seal = now;
  return result;
}

}  // namespace desk::files
