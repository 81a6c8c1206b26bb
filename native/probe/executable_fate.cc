#include "probe/executable_fate.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/identity.h"
#include "core/open_at.h"
#include "core/path.h"
#include "core/read.h"

#ifndef RESOLVE_CACHED
#define RESOLVE_CACHED 0x20  // since Linux 5.12, linux/openat2.h
#endif

namespace desk {
namespace {

// Only root can write there.
constexpr std::array<std::string_view, 5> kSystem{"/usr/", "/bin/", "/sbin/", "/lib", "/opt/"};

// Does not query the server of the file system, which may be a process that does not answer.
std::optional<struct statx> About(int directory, const char* path, int flags) {
  struct statx about {};
  constexpr int kQuiet = AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT;
  if (::statx(directory, path, flags | kQuiet, STATX_TYPE | STATX_INO | STATX_NLINK, &about) != 0)
    return std::nullopt;
  return about;
}

bool SameFile(const struct statx& one, const struct statx& other) {
  return one.stx_ino == other.stx_ino && one.stx_dev_major == other.stx_dev_major &&
         one.stx_dev_minor == other.stx_dev_minor;
}

// Whether paths mean the same files for it and for us.
bool SharesMounts(int root, ProcPath& process) {
  const Result<std::string_view> own = ReadLink(AT_FDCWD, "/proc/self/ns/mnt");
  const std::string ours(own ? *own : std::string_view());
  const Result<std::string_view> its = ReadLink(root, process.File("ns/mnt"));
  return its && *its == ours;
}

}  // namespace

Result<ExecutableFate> FateOfExecutable(int root, std::int32_t pid) {
  ProcPath process(pid);
  const Result<std::string_view> link = ReadLink(root, process.File("exe"));
  if (!link) return link.refusal();
  std::string path(*link);
  const auto running = About(root, process.File("exe"), 0);
  if (!running) return ExecutableFate::kUnlinked;
  const ExecutableFate itself = running->stx_nlink == 0 ? ExecutableFate::kUnlinked : ExecutableFate::kLinked;
  if (!path.ends_with(kDeletedMark) || !SharesMounts(root, process)) return itself;
  if (const Result<Fd> named = OpenAt(AT_FDCWD, path.c_str(), O_PATH, RESOLVE_CACHED)) {
    const auto own = About(named->get(), "", AT_EMPTY_PATH);
    if (own && SameFile(*own, *running)) return ExecutableFate::kOwnName;
  }
  path.resize(path.size() - kDeletedMark.size());
  const auto system = [&path](std::string_view folder) { return path.starts_with(folder); };
  if (!std::ranges::any_of(kSystem, system)) return itself;
  const auto now = About(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW);
  const bool replaced = now && S_ISREG(now->stx_mode) && !SameFile(*now, *running);
  return replaced ? ExecutableFate::kReplaced : itself;
}

}  // namespace desk
