#include "files/privileged.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/fd.h"
#include "core/open_at.h"
#include "core/result.h"

namespace desk::files {
namespace {

using Listed = std::unique_ptr<DIR, int (*)(DIR*)>;

// Bytes of paths that wait to be read.
constexpr std::size_t kMostPending = 32 << 20;

constexpr mode_t kExecutable = S_IXUSR | S_IXGRP | S_IXOTH;

// Someone other than root can go through it. Where the folder has an access control list, the rights of the
// group are those of its mask (acl(5)): what the list says in detail is not read.
bool LetsOthersIn(const std::string& path, const struct stat& folder) {
  if (folder.st_uid != 0 || (folder.st_mode & S_IXOTH) != 0) return true;
  if ((folder.st_mode & S_IXGRP) == 0) return false;
  return folder.st_gid != 0 || ::getxattr(path.c_str(), "system.posix_acl_access", nullptr, 0) > 0;
}

// Only root and its owner can go through it, access control lists included: their mask is in the rights of
// the group. The group that useradd(8) makes for a user has the user's number.
bool IsOfOwnerAlone(const std::string& path, const struct stat& folder) {
  if ((folder.st_mode & (S_IXGRP | S_IXOTH)) == 0) return true;
  return (folder.st_mode & S_IXOTH) == 0 && folder.st_gid == folder.st_uid &&
         ::getxattr(path.c_str(), "system.posix_acl_access", nullptr, 0) <= 0;
}

std::string OwnLink(const Fd& folder) { return "/proc/self/fd/" + std::to_string(folder.get()); }

// Someone other than root can get to the folder.
bool IsReachable(const std::string& folder) {
  for (std::size_t end = folder.find('/', 1); end != std::string::npos; end = folder.find('/', end + 1)) {
    const std::string above = folder.substr(0, end);
    struct stat info {};
    if (::stat(above.c_str(), &info) == 0 && !LetsOthersIn(above, info)) return false;
  }
  return true;
}

bool ChangesUser(mode_t mode) {
  // Without the group's x, the bit once meant locking, and means nothing now (inode(7)).
  constexpr mode_t kGroup = S_ISGID | S_IXGRP;
  return (mode & S_ISUID) != 0 || (mode & kGroup) == kGroup;
}

Capabilities CapabilitiesOf(const Fd& folder, const char* name) {
  Capabilities value(sizeof(vfs_ns_cap_data));
  const std::string path = OwnLink(folder).append("/").append(name);
  const ssize_t got = ::lgetxattr(path.c_str(), "security.capability", value.data(), value.size());
  value.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return value;
}

// A folder to read.
struct Pending {
  // From the mount point, with a leading slash; "" is the mount point.
  std::string path;
  // The only user besides root who can enter it; nothing where others can too.
  std::optional<uid_t> only;
};

class Walk {
 public:
  Walk(const std::string& mount, const PrivilegedVisitor& visitor)
      : mount_(mount == "/" ? "" : mount), visitor_(visitor) {}

  bool Run() {
    const std::string top = mount_.empty() ? "/" : mount_;
    Result<Fd> opened = OpenAt(AT_FDCWD, top.c_str(), O_PATH | O_DIRECTORY, RESOLVE_NO_SYMLINKS);
    struct statvfs info {};
    if (!opened || ::fstatvfs(opened->get(), &info) != 0) {
      Refuse("", opened ? errno : opened.error());
      return true;
    }
    if ((info.f_flag & ST_NOSUID) != 0 || !IsReachable(top)) return true;
    top_ = std::move(*opened);
    folders_.emplace_back();
    while (!folders_.empty() && !stopped_) {
      const Pending folder = std::move(folders_.back());
      folders_.pop_back();
      pending_ -= folder.path.size();
      ReadFolder(folder.path, folder.only);
    }
    return whole_ && !stopped_;
  }

 private:
  void ReadFolder(const std::string& folder, std::optional<uid_t> only) {
    const char* const name = folder.empty() ? "." : folder.c_str() + 1;
    Result<Fd> opened = OpenAt(top_.get(), name, O_PATH | O_DIRECTORY | O_NOFOLLOW,
                               RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH);
    if (!opened) return Refuse(folder, opened.error());
    struct stat info {};
    if (::fstat(opened->get(), &info) != 0) return Refuse(folder, errno);
    const std::string link = OwnLink(*opened);
    if (!LetsOthersIn(link, info)) return;
    if (!only && IsOfOwnerAlone(link, info)) only = info.st_uid;
    // The stream owns its descriptor.
    Result<Fd> read = OpenAt(opened->get(), ".", O_RDONLY | O_DIRECTORY | O_NONBLOCK, 0);
    if (!read) return Refuse(folder, read.error());
    const Listed listed(::fdopendir(read->get()), ::closedir);
    if (!listed) return Refuse(folder, errno);
    (*read).Release();
    errno = 0;
    while (const dirent* const entry = ::readdir(listed.get())) {
      stopped_ = stopped_ || ++entries_ > kMostWalked;
      if (stopped_) break;
      Look(*opened, {.path = folder, .only = only}, *entry);
      errno = 0;
    }
    if (errno != 0) Refuse(folder, errno);
  }

  void Look(const Fd& folder, const Pending& at, const dirent& entry) {
    const std::string_view name = entry.d_name;
    if (name == "." || name == "..") return;
    if (entry.d_type != DT_DIR && entry.d_type != DT_REG && entry.d_type != DT_UNKNOWN) return;
    struct stat info {};
    if (entry.d_type == DT_DIR)
      info.st_mode = S_IFDIR;
    else if (::fstatat(folder.get(), entry.d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
      return;
    if (S_ISDIR(info.st_mode)) Push({.path = std::string(at.path).append("/").append(name), .only = at.only});
    if (!S_ISREG(info.st_mode) || (info.st_mode & kExecutable) == 0) return;
    const Capabilities capabilities = CapabilitiesOf(folder, entry.d_name);
    if (!ChangesUser(info.st_mode) && capabilities.empty()) return;
    // To run as its owner gives the only one who gets there nothing, as in an image of a user's own
    // containers.
    if (at.only == info.st_uid && (info.st_mode & S_ISGID) == 0 && capabilities.empty()) return;
    const Result<Fd> place = OpenAt(folder.get(), entry.d_name, O_PATH | O_NOFOLLOW, 0);
    const std::string path = std::string(mount_).append(at.path).append("/").append(name);
    if (!place) return visitor_.refused(path, place.error());
    const std::string last(name);
    stopped_ = !visitor_.found({.folder = folder, .name = last, .place = *place, .path = path}, capabilities);
  }

  void Push(Pending folder) {
    pending_ += folder.path.size();
    // Of someone who wants to fill the memory; the rest is read.
    if (pending_ > kMostPending) {
      pending_ -= folder.path.size();
      whole_ = false;
      return;
    }
    folders_.push_back(std::move(folder));
  }

  // Another mount is another walk; what is gone is nothing.
  void Refuse(const std::string& folder, int error) {
    if (error == EXDEV || IsGone(error) || error == ENOTDIR || error == ELOOP) return;
    const std::string path = std::string(mount_).append(folder);
    visitor_.refused(path.empty() ? "/" : path, error);
  }

  const std::string mount_;
  const PrivilegedVisitor& visitor_;
  Fd top_;
  std::vector<Pending> folders_;
  // Bytes of the paths in `folders_`.
  std::size_t pending_ = 0;
  std::size_t entries_ = 0;
  // Nothing was left out.
  bool whole_ = true;
  bool stopped_ = false;
};

}  // namespace

bool WalkPrivileged(const std::string& mount, const PrivilegedVisitor& visitor) {
  return Walk(mount, visitor).Run();
}

}  // namespace desk::files
