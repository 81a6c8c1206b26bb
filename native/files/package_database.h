// What a database of packages says of files: which package owns one, and the digest that it should have.
// Databases are read from their files; no package manager is run. Root can change these files too: that a
// file is unchanged means that it agrees with its database.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/digest.h"
#include "files/folder_links.h"

namespace desk::files {

class PackageDatabase;

struct Package {
  const PackageDatabase* database = nullptr;
  // Distinguishes it from all other packages, also those of other databases; without blanks.
  std::string id;
  std::string name;
  std::string version;
  // Removed, and its configuration files kept.
  bool removed = false;
  // When its files were unpacked, nanoseconds since the epoch; 0 where that is unknown.
  std::int64_t installed = 0;
};

struct Owner {
  const Package* package = nullptr;
  // Nothing where the database records none: a link, or a file that a script of the package made.
  std::optional<Digest> digest;
  // It is expected to change.
  bool configuration = false;
  // Mode bits (07777); nothing where the database records none.
  std::optional<std::uint16_t> mode;
};

class PackageDatabase {
 public:
  static constexpr std::string_view kRead = "read";
  static constexpr std::string_view kNone = "none";

  using Visit = std::function<void(const std::string& path, const Digest& digest)>;

  // `root`: the folder in which bin and others may be links into usr; it ends with a slash.
  PackageDatabase(const char* name, std::string root) : name_(name), root_(std::move(root)) {}
  PackageDatabase(const PackageDatabase&) = delete;
  PackageDatabase& operator=(const PackageDatabase&) = delete;
  PackageDatabase(PackageDatabase&&) = delete;
  PackageDatabase& operator=(PackageDatabase&&) = delete;
  virtual ~PackageDatabase() = default;

  // Reads the database where it has changed since the last call. kRead; kNone: it is not on this machine; or
  // why it could not be read, an error code or a phrase, and then nothing is known.
  const std::string& Refresh();

  // dpkg, rpm or pacman.
  const char* name() const { return name_; }
  const std::vector<Package>& packages() const { return packages_; }
  // Packages that own the file at this path, without links in its folders; none is usual.
  std::vector<Owner> OwnersOf(std::string_view path) const;
  // A package with a file of this content, wherever that file lies: its scripts copy some. Null without one.
  const Package* PackageWith(const Digest& content) const;
  // Packages are being installed or removed.
  virtual bool IsBusy() const = 0;
  // Calls back with each file of the package that has a digest and is not a configuration file, where it
  // lies. 0, or why its digests could not be read.
  virtual int EachDigest(const Package& package, const Visit& visit) const = 0;
  using VisitOther = std::function<void(const std::string& path, const struct stat& info)>;

  // Calls back with what else of the package is there, where it lies: files that should have a digest and
  // have none, and links.
  virtual void EachOther(const Package& /*package*/, const VisitOther& /*visit*/) const {}

 protected:
  struct File {
    // Hash of where it lies.
    std::uint64_t path = 0;
    std::uint32_t package = 0;
    std::uint16_t mode = kNoMode;
    bool digested = false;
    bool configuration = false;
    Digest digest{};
  };
  static constexpr std::uint16_t kNoMode = 0xffff;
  // Of one database; a large machine has a million.
  static constexpr std::size_t kMostFiles = 8'000'000;

  // What is read by Load: a change to one of these is a change of the database.
  virtual std::vector<std::string> Sources() const = 0;
  // Adds packages and files; returns as Refresh does.
  virtual std::string Load() = 0;

  std::uint32_t Add(Package package);
  void Add(File file) { files_.push_back(file); }
  // There are as many files as are read.
  bool IsFull() const { return files_.size() >= kMostFiles; }
  // By path, each package once per path: a configuration file comes before others.
  void SortFiles();
  // Those of a path.
  std::vector<File>::iterator FirstAt(std::uint64_t path);
  std::vector<File>& files() { return files_; }
  Package& PackageAt(std::uint32_t number) { return packages_[number]; }
  std::string Canonical(std::string_view path) const { return links_.Canonical(path); }

 private:
  std::vector<std::int64_t> Stamps() const;
  void Clear();

  const char* const name_;
  const std::string root_;
  FolderLinks links_;
  std::string state_;
  std::vector<std::int64_t> stamps_;
  std::vector<Package> packages_;
  std::vector<File> files_;
  // Those with a digest, by it.
  std::vector<std::uint32_t> digested_;
};

// A program holds a lock of fcntl(2) for writing on the file.
bool IsLocked(const std::string& path);

}  // namespace desk::files
