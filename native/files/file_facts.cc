#include "files/file_facts.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include "core/open_at.h"
#include "core/read.h"
#include "core/result.h"
#include "files/stat.h"
#include "peek/sha256.h"

namespace desk::files {
namespace {

const char* KindOf(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG: return "regular";
    case S_IFDIR: return "folder";
    case S_IFIFO: return "fifo";
    case S_IFSOCK: return "socket";
    case S_IFBLK: return "block device";
    case S_IFCHR: return "character device";
    default: return "unknown";
  }
}

std::string OwnLink(const Fd& place) { return "/proc/self/fd/" + std::to_string(place.get()); }

bool MayRead(const struct stat& info, std::uint32_t viewer) {
  return viewer == 0 || info.st_uid == viewer || (info.st_mode & S_IROTH) != 0;
}

// 0, or why the content could not be read.
int ReadContent(const Fd& place, const struct stat& info, Depth depth, FileFacts& facts) {
  const auto size = static_cast<std::uint64_t>(info.st_size);
  const bool digests = size <= kMostDigested;
  if (!digests && depth == Depth::kDigest) return EFBIG;
  Result<Fd> file = OpenAt(AT_FDCWD, OwnLink(place).c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
  if (!file) return file.error();
  static std::array<char, 256 << 10> buffer;
  Sha256 sha256;
  Hasher md5(Algorithm::kMd5);
  std::string text;
  const std::uint64_t most = digests ? kMostDigested : kMostText;
  std::uint64_t read = 0;
  while (read < most) {
    const ssize_t got =
        ::read(file->get(), buffer.data(), std::min<std::uint64_t>(buffer.size(), most - read));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) break;
    const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
    if (digests) {
      sha256.Take(bytes);
      md5.Take(bytes);
    }
    if (depth == Depth::kText)
      text.append(bytes.substr(0, kMostText - std::min<std::size_t>(kMostText, text.size())));
    read += bytes.size();
  }
  struct stat after {};
  if (::fstat(file->get(), &after) != 0) return errno;
  if (!IsUnchanged(info, after)) return EBUSY;
  if (digests) {
    facts.sha256 = sha256.End();
    facts.md5 = md5.End();
  }
  facts.cut = depth == Depth::kText && size > kMostText;
  if (depth == Depth::kText) facts.text = std::move(text);
  return digests ? 0 : EFBIG;
}

}  // namespace

FileFacts ReadFacts(const Found& found, std::uint32_t viewer, Depth depth) {
  FileFacts facts;
  const Result<std::string_view> folder = ReadLink(AT_FDCWD, OwnLink(found.folder).c_str());
  facts.path =
      folder ? std::string(*folder == "/" ? "" : *folder).append("/").append(found.name) : found.path;
  struct stat info {};
  const auto failed = [&facts](int error) {
    facts.error = error;
    return facts;
  };
  if (::fstat(found.place.get(), &info) != 0) return failed(errno);
  Fd behind;
  if (S_ISLNK(info.st_mode)) {
    const Result<std::string_view> link = ReadLink(found.place.get(), "");
    if (!link) return failed(link.error());
    facts.link = *link;
    if (viewer == 0) viewer = info.st_uid;
    facts.uid = info.st_uid;
    facts.gid = info.st_gid;
    facts.modified = Nanoseconds(info.st_mtim);
    facts.changed = Nanoseconds(info.st_ctim);
    Result<Fd> opened = OpenAt(found.folder.get(), found.name.c_str(), O_PATH, RESOLVE_NO_MAGICLINKS);
    // A link to nothing has no error: it is what it is.
    if (!opened) return failed(IsGone(opened.error()) || opened.error() == ENOTDIR ? 0 : opened.error());
    behind = std::move(*opened);
    if (::fstat(behind.get(), &info) != 0) return failed(errno);
  }
  const Fd& place = behind.valid() ? behind : found.place;
  facts.kind = KindOf(info.st_mode);
  facts.mode = info.st_mode & 07777;
  facts.uid = info.st_uid;
  facts.gid = info.st_gid;
  facts.size = static_cast<std::uint64_t>(info.st_size);
  facts.modified = Nanoseconds(info.st_mtim);
  // A new link to an old file is new.
  facts.changed = std::max(facts.changed, Nanoseconds(info.st_ctim));
  const Result<std::string_view> real = ReadLink(AT_FDCWD, OwnLink(place).c_str());
  if (real) facts.real = *real;
  if (!S_ISREG(info.st_mode) || depth == Depth::kFacts) return facts;
  facts.error = MayRead(info, viewer) ? ReadContent(place, info, depth, facts) : EACCES;
  return facts;
}

}  // namespace desk::files
