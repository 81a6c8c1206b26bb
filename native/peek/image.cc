#include "peek/image.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <string_view>

#include "core/fd.h"
#include "peek/sha256.h"

namespace desk {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{512} << 20;

std::int64_t Nanoseconds(const struct statx_timestamp& time) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  return time.tv_sec * kSecond + time.tv_nsec;
}

Result<Image> ImageAt(int directory, const char* path, int flags) {
  struct statx info {};
  constexpr unsigned kWanted = STATX_INO | STATX_SIZE | STATX_MTIME | STATX_CTIME;
  if (::statx(directory, path, flags, kWanted, &info) != 0) return Errno{errno};
  if ((info.stx_mask & kWanted) != kWanted) return Errno{ENODATA};
  return Image{.major = info.stx_dev_major,
               .minor = info.stx_dev_minor,
               .inode = info.stx_ino,
               .size = info.stx_size,
               .modified = Nanoseconds(info.stx_mtime),
               .changed = Nanoseconds(info.stx_ctime)};
}

}  // namespace

Result<Image> ReadImage(int folder, const char* link) { return ImageAt(folder, link, AT_STATX_DONT_SYNC); }

Result<Digest> ReadDigest(int folder, const char* link) {
  const Fd file(::openat(folder, link, O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!file.valid()) return Errno{errno};
  const Result<Image> before = ImageAt(file.get(), "", AT_EMPTY_PATH);
  if (!before) return before.refusal();
  if (before->size > kMostBytes) return Errno{EFBIG};
  static std::array<char, 256 << 10> buffer;
  Sha256 digest;
  for (std::uint64_t read = 0;;) {
    const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Errno{errno};
    if (got == 0) break;
    read += static_cast<std::uint64_t>(got);
    if (read > kMostBytes) return Errno{EFBIG};
    digest.Take({buffer.data(), static_cast<std::size_t>(got)});
  }
  const Result<Image> after = ImageAt(file.get(), "", AT_EMPTY_PATH);
  if (!after) return after.refusal();
  if (*after != *before) return Errno{EBUSY};
  return Digest{.image = *before, .text = digest.End()};
}

Result<Digest> ReadFileDigest(const char* path) {
  // Opening a pipe or a device may block or have effects: check its type first.
  const Fd place(::open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC));
  if (!place.valid()) return Errno{errno};
  struct stat info {};
  if (::fstat(place.get(), &info) != 0) return Errno{errno};
  if (!S_ISREG(info.st_mode)) return Errno{EINVAL};
  const std::string link = "/proc/self/fd/" + std::to_string(place.get());
  return ReadDigest(AT_FDCWD, link.c_str());
}

}  // namespace desk
