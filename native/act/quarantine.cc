#include "act/quarantine.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "core/directory.h"
#include "core/fd.h"
#include "core/open_at.h"
#include "core/read.h"
#include "core/text.h"
#include "probe/sys_class.h"

namespace desk {
namespace {

// Identifies a file independent of its name.
struct FileId {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const FileId&) const = default;
};

// AT_STATX_DONT_SYNC: a file server that does not answer must not block us.
Result<FileId> IdOf(int directory, const char* path, int flags) {
  struct statx about {};
  if (::statx(directory, path, flags | AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_INO, &about) != 0)
    return Errno{errno};
  return FileId{.device = makedev(about.stx_dev_major, about.stx_dev_minor), .inode = about.stx_ino};
}

// Links of sockets and pipes are not paths: only a link to a file is followed.
bool NamesFile(int directory, const char* name) {
  char first = '\0';
  return ::readlinkat(directory, name, &first, 1) == 1 && first == '/';
}

// Searches the descriptors of every accessible process for the file of `fd`, except that descriptor itself.
// Mappings whose descriptor is closed are not found: reading maps can block forever.
Result<bool> OpenElsewhere(int fd) {
  const Result<FileId> wanted = IdOf(fd, "", AT_EMPTY_PATH);
  if (!wanted) return wanted.refusal();
  const std::int32_t self = ::getpid();
  bool found = false;
  const Result<bool> walked = WalkNumbers(AT_FDCWD, "/proc", [&](std::int32_t pid, int proc) {
    // A process that ended or is not accessible is skipped.
    const Result<bool> seen =
        WalkNumbers(proc, (std::to_string(pid) + "/fd").c_str(), [&](std::int32_t number, int directory) {
          if (pid == self && number == fd) return true;
          const std::string name = std::to_string(number);
          if (!NamesFile(directory, name.c_str())) return true;
          const Result<FileId> id = IdOf(directory, name.c_str(), 0);
          found = id && *id == *wanted;
          return !found;
        });
    (void)seen.ok();
    return !found;
  });
  if (!walked) return walked.refusal();
  return found;
}

constexpr const char* kFolderName = "quarantine";
constexpr std::size_t kEntryDigits = 16;
constexpr std::size_t kMostManifestBytes = 64 << 10;
constexpr std::string_view kManifestEnding = ".json";

QuarantineStop Stop(const char* step, int error) { return {.step = step, .error = error}; }

// A name within a folder, without a way out of it.
bool IsName(std::string_view name) {
  return !name.empty() && name.size() <= 255 && name != "." && name != ".." && name != kFolderName &&
         name.find('/') == std::string_view::npos;
}

bool IsEntry(std::string_view entry) {
  const auto hex = [](char c) { return IsDigit(c) || (c >= 'a' && c <= 'f'); };
  return entry.size() == kEntryDigits && std::ranges::all_of(entry, hex);
}

std::string ManifestOf(std::string_view entry) { return std::string(entry).append(kManifestEnding); }

// Opens a name of a folder: never through a link, never into another mount, never above the folder.
Result<Fd> OpenBeneath(int folder, const char* name, std::uint64_t flags, std::uint64_t mode = 0) {
  constexpr std::uint64_t kWithin =
      RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV;
  return OpenAt(folder, name, flags | O_NOFOLLOW, kWithin, mode);
}

struct Folders {
  Fd state;
  Fd quarantine;
};

// errno of a folder that is not ours, or is writable (`closed`: accessible) for others; 0 when it is fine.
int FolderError(int folder, bool closed) {
  struct stat about {};
  if (::fstat(folder, &about) != 0) return errno;
  if (about.st_uid != ::geteuid()) return EPERM;
  return (about.st_mode & (closed ? 077u : 022u)) != 0 ? EACCES : 0;
}

QuarantineStop Open(const std::string& state, bool make, Folders& folders) {
  folders.state = Fd(::open(state.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folders.state.valid()) return Stop(stop::kState, errno);
  if (const int error = FolderError(folders.state.get(), false); error != 0) return Stop(stop::kState, error);
  if (make && ::mkdirat(folders.state.get(), kFolderName, 0700) != 0 && errno != EEXIST)
    return Stop(stop::kFolder, errno);
  Result<Fd> quarantine = OpenBeneath(folders.state.get(), kFolderName, O_RDONLY | O_DIRECTORY);
  if (!quarantine) return Stop(stop::kFolder, quarantine.error());
  folders.quarantine = std::move(*quarantine);
  const int error = FolderError(folders.quarantine.get(), true);
  return error == 0 ? QuarantineStop{} : Stop(stop::kFolder, error);
}

// Opens a file if it is regular, ours and has only one name.
QuarantineStop OpenOwnFile(int folder, const char* name, Fd& file, FileId& id) {
  Result<Fd> opened = OpenBeneath(folder, name, O_PATH);
  if (!opened) return Stop(stop::kOpen, opened.error());
  struct stat about {};
  if (::fstat(opened->get(), &about) != 0) return Stop(stop::kOpen, errno);
  if (!S_ISREG(about.st_mode)) return Stop(stop::kKind, S_ISDIR(about.st_mode) ? EISDIR : EINVAL);
  if (about.st_nlink != 1) return Stop(stop::kLinks, EBUSY);
  if (about.st_uid != ::geteuid()) return Stop(stop::kOwner, EPERM);
  id = {.device = about.st_dev, .inode = about.st_ino};
  file = std::move(*opened);
  return {};
}

int WriteAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(file, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return ::fsync(file) == 0 ? 0 : errno;
}

int WriteManifest(int quarantine, const std::string& entry, std::string_view bytes) {
  const std::string name = ManifestOf(entry);
  const Result<Fd> file = OpenBeneath(quarantine, name.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (!file) return file.error();
  int error = WriteAll(file->get(), bytes);
  if (error == 0 && ::fsync(quarantine) != 0) error = errno;
  if (error != 0) ::unlinkat(quarantine, name.c_str(), 0);
  return error;
}

int Rename(int from, const std::string& name, int to, const std::string& as) {
  return ::renameat2(from, name.c_str(), to, as.c_str(), RENAME_NOREPLACE) == 0 ? 0 : errno;
}

// Errors are ignored: the move is done even if a folder cannot be synced.
void Sync(const Folders& folders) {
  ::fsync(folders.quarantine.get());
  ::fsync(folders.state.get());
}

Result<std::string> ReadManifest(int quarantine, const std::string& name) {
  const Result<Fd> file = OpenBeneath(quarantine, name.c_str(), O_RDONLY | O_NONBLOCK);
  if (!file) return file.refusal();
  struct stat about {};
  if (::fstat(file->get(), &about) != 0) return Errno{errno};
  if (!S_ISREG(about.st_mode) || static_cast<std::size_t>(about.st_size) > kMostManifestBytes)
    return Errno{EBADMSG};
  return ReadRecordAgain(file->get()).AndThen([](std::string_view bytes) {
    return Result<std::string>(std::string(bytes));
  });
}

}  // namespace

QuarantineStop MoveToQuarantine(const std::string& state, const std::string& name, const std::string& entry,
                                std::string_view manifest) {
  if (!IsName(name) || !IsEntry(entry)) return Stop(stop::kName, EINVAL);
  Folders folders;
  if (const QuarantineStop stopped = Open(state, true, folders); !stopped.ok()) return stopped;
  const int from = folders.state.get();
  const int to = folders.quarantine.get();
  Fd file;
  FileId id;
  if (const QuarantineStop stopped = OpenOwnFile(from, name.c_str(), file, id); !stopped.ok()) return stopped;
  const Result<bool> held = OpenElsewhere(file.get());
  if (!held || *held) return Stop(stop::kHeld, held ? EBUSY : held.error());
  if (const int error = WriteManifest(to, entry, manifest); error != 0) return Stop(stop::kManifest, error);
  const std::string manifest_name = ManifestOf(entry);
  if (const int error = Rename(from, name, to, entry); error != 0) {
    ::unlinkat(to, manifest_name.c_str(), 0);
    return Stop(stop::kMove, error);
  }
  Fd moved;
  FileId now;
  const QuarantineStop again = OpenOwnFile(to, entry.c_str(), moved, now);
  if (again.ok() && now == id) {
    Sync(folders);
    return {};
  }
  // Only a name was moved: it can be moved back.
  const int error = Rename(to, entry, from, name);
  if (error == 0) ::unlinkat(to, manifest_name.c_str(), 0);
  Sync(folders);
  return Stop(stop::kSwapped, error == 0 ? EAGAIN : error);
}

QuarantineStop ListQuarantine(const std::string& state, std::vector<QuarantineEntry>& entries) {
  Folders folders;
  const QuarantineStop stopped = Open(state, false, folders);
  if (!stopped.ok())
    return stopped.step == stop::kFolder && stopped.error == ENOENT ? QuarantineStop{} : stopped;
  const int quarantine = folders.quarantine.get();
  const auto names = ListNames(quarantine, ".", "", kManifestEnding);
  if (!names) return Stop(stop::kFolder, names.error());
  for (const std::string& name : *names) {
    const std::string id = name.substr(0, name.size() - kManifestEnding.size());
    if (!IsEntry(id)) continue;
    Result<std::string> manifest = ReadManifest(quarantine, name);
    struct stat about {};
    entries.push_back({.id = id,
                       .manifest = std::move(*manifest),
                       .present = ::fstatat(quarantine, id.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0});
  }
  return {};
}

QuarantineStop RestoreFromQuarantine(const std::string& state, const std::string& entry,
                                     const std::string& name) {
  if (!IsName(name) || !IsEntry(entry)) return Stop(stop::kName, EINVAL);
  Folders folders;
  if (const QuarantineStop stopped = Open(state, false, folders); !stopped.ok()) return stopped;
  Fd file;
  FileId id;
  const int from = folders.quarantine.get();
  if (const QuarantineStop stopped = OpenOwnFile(from, entry.c_str(), file, id); !stopped.ok())
    return stopped;
  if (const int error = Rename(from, entry, folders.state.get(), name); error != 0)
    return Stop(stop::kMove, error);
  ::unlinkat(from, ManifestOf(entry).c_str(), 0);
  Sync(folders);
  return {};
}

QuarantineStop PurgeFromQuarantine(const std::string& state, const std::string& entry) {
  if (!IsEntry(entry)) return Stop(stop::kName, EINVAL);
  Folders folders;
  if (const QuarantineStop stopped = Open(state, false, folders); !stopped.ok()) return stopped;
  const int folder = folders.quarantine.get();
  // The file first: an interrupted move leaves a manifest without a file, which is purged like any other.
  bool gone = ::unlinkat(folder, entry.c_str(), 0) == 0 || errno == ENOENT;
  // A swapped entry may be a folder; one that is not empty stays.
  if (!gone && errno == EISDIR) gone = ::unlinkat(folder, entry.c_str(), AT_REMOVEDIR) == 0;
  if (!gone) return Stop(stop::kMove, errno);
  if (::unlinkat(folder, ManifestOf(entry).c_str(), 0) != 0) return Stop(stop::kManifest, errno);
  Sync(folders);
  return {};
}

}  // namespace desk
