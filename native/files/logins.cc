#include "files/logins.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utmp.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <span>

#include "core/open_at.h"

namespace desk::files {
namespace {

// Of the year 9999.
constexpr std::int64_t kLastSecond = 253'402'300'799;

// A field ends at a NUL, or has all of its bytes.
std::string TextOf(std::span<const char> field) {
  return {field.data(), ::strnlen(field.data(), field.size())};
}

}  // namespace

Result<std::vector<Login>> LastLogins(const std::string& path) {
  const Result<Fd> file = OpenAt(AT_FDCWD, path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
  if (!file) return file.refusal();
  struct stat info {};
  if (::fstat(file->get(), &info) != 0) return Errno{errno};
  if (!S_ISREG(info.st_mode)) return Errno{EINVAL};
  const auto records = static_cast<std::size_t>(info.st_size) / sizeof(utmp);
  const std::size_t first = records - std::min(records, kMostLoginBytes / sizeof(utmp));
  std::vector<Login> logins;
  std::set<std::string> users;
  std::vector<utmp> block(1'024);
  for (std::size_t end = records; end > first && logins.size() < kMostLogins;) {
    const std::size_t begin = end - std::min(end - first, block.size());
    const std::span<utmp> wanted(block.data(), end - begin);
    const ssize_t got =
        ::pread(file->get(), wanted.data(), wanted.size_bytes(), static_cast<off_t>(begin * sizeof(utmp)));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Errno{errno};
    const std::size_t whole = static_cast<std::size_t>(got) / sizeof(utmp);
    for (std::size_t at = whole; at-- > 0 && logins.size() < kMostLogins;) {
      const utmp& record = wanted[at];
      if (record.ut_type != USER_PROCESS) continue;
      std::string user = TextOf(record.ut_user);
      if (user.empty() || !users.insert(user).second) continue;
      logins.push_back({.user = std::move(user),
                        .line = TextOf(record.ut_line),
                        .host = TextOf(record.ut_host),
                        .seconds = static_cast<std::uint64_t>(
                            std::clamp<std::int64_t>(record.ut_tv.tv_sec, 0, kLastSecond))});
    }
    end = begin;
  }
  return logins;
}

}  // namespace desk::files
