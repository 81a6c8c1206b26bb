#include "files/package_database.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <tuple>
#include <utility>

#include "core/open_at.h"
#include "core/siphash.h"
#include "files/stat.h"

namespace desk::files {

const std::string& PackageDatabase::Refresh() {
  std::vector<std::int64_t> stamps = Stamps();
  if (stamps == stamps_) return state_;
  Clear();
  links_ = FolderLinks(root_);
  state_ = Load();
  if (state_ == kRead && packages_.empty()) state_ = kNone;
  if (state_ != kRead) Clear();
  SortFiles();
  files_.shrink_to_fit();
  for (std::uint32_t at = 0; at < files_.size(); ++at)
    if (files_[at].digested && !IsOfNothing(files_[at].digest)) digested_.push_back(at);
  std::ranges::sort(digested_, {}, [this](std::uint32_t at) { return files_[at].digest; });
  // Changed meanwhile: read again by the next call. What could not be read is not tried again before it
  // changes.
  if (Stamps() == stamps) stamps_ = std::move(stamps);
  return state_;
}

void PackageDatabase::Clear() {
  packages_.clear();
  files_.clear();
  digested_.clear();
  stamps_.clear();
}

std::vector<Owner> PackageDatabase::OwnersOf(std::string_view path) const {
  std::vector<Owner> owners;
  const std::uint64_t hash = HashIdentity(Canonical(path));
  for (auto file = std::ranges::lower_bound(files_, hash, {}, &File::path);
       file != files_.end() && file->path == hash; ++file)
    owners.push_back({.package = &packages_[file->package],
                      .digest = file->digested ? std::optional(file->digest) : std::nullopt,
                      .configuration = file->configuration,
                      .mode = file->mode == kNoMode ? std::nullopt : std::optional(file->mode)});
  return owners;
}

const Package* PackageDatabase::PackageWith(const Digest& content) const {
  const auto found = std::ranges::lower_bound(digested_, content, {},
                                              [this](std::uint32_t at) { return files_[at].digest; });
  if (found == digested_.end() || files_[*found].digest != content) return nullptr;
  return &packages_[files_[*found].package];
}

std::uint32_t PackageDatabase::Add(Package package) {
  package.database = this;
  packages_.push_back(std::move(package));
  return static_cast<std::uint32_t>(packages_.size() - 1);
}

void PackageDatabase::SortFiles() {
  const auto order = [](const File& file) {
    return std::tuple(file.path, file.package, !file.configuration);
  };
  if (!std::ranges::is_sorted(files_, {}, order)) std::ranges::sort(files_, {}, order);
  const auto same = [](const File& one, const File& other) {
    return one.path == other.path && one.package == other.package;
  };
  files_.erase(std::unique(files_.begin(), files_.end(), same), files_.end());
}

std::vector<PackageDatabase::File>::iterator PackageDatabase::FirstAt(std::uint64_t path) {
  return std::ranges::lower_bound(files_, path, {}, &File::path);
}

// Modification and change times of what is read, and its inodes.
std::vector<std::int64_t> PackageDatabase::Stamps() const {
  std::vector<std::int64_t> stamps;
  for (const std::string& path : Sources()) {
    struct stat info {};
    const bool there = ::stat(path.c_str(), &info) == 0;
    stamps.push_back(there ? Nanoseconds(info.st_mtim) : -errno);
    stamps.push_back(there ? Nanoseconds(info.st_ctim) : 0);
    stamps.push_back(there ? static_cast<std::int64_t>(info.st_ino) : 0);
  }
  return stamps;
}

bool IsLocked(const std::string& path) {
  const Result<Fd> lock = OpenAt(AT_FDCWD, path.c_str(), O_RDONLY | O_NONBLOCK, 0);
  if (!lock) return false;
  struct flock held {};
  held.l_type = F_RDLCK;
  held.l_whence = SEEK_SET;
  return ::fcntl(lock->get(), F_GETLK, &held) == 0 && held.l_type != F_UNLCK;
}

}  // namespace desk::files
