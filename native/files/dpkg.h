// What dpkg's database says of files: which package owns one, and the digest that it should have. Read from
// its own files (dpkg(1), deb-md5sums(5), dpkg-divert(1)); dpkg itself is not run. Whoever has root can
// change these files too: an unchanged file is unchanged in the eyes of this database.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "files/md5.h"

namespace desk::files {

struct Package {
  std::string name;
  // What its files in the database are called: with the architecture where several may be installed.
  std::string list;
  std::string version;
  // Removed, and its configuration files kept.
  bool removed = false;
  // When its files were unpacked (the ctime of its list), nanoseconds since the epoch; 0 where that is
  // unknown.
  std::int64_t installed = 0;
};

struct Owner {
  const Package* package = nullptr;
  // Nothing where the database records none: a link, or a file that a script of the package made.
  std::optional<Md5Digest> digest;
  // The administrator is expected to change it.
  bool configuration = false;
};

class Dpkg {
 public:
  // `admin`: the folder of the database; `root`: the folder in which bin and others may be links into usr.
  explicit Dpkg(std::string admin = "/var/lib/dpkg", std::string root = "/");

  // Reads the database where it has changed since the last call. False: there is none. An error: it could not
  // be read, and nothing is known.
  Result<bool> Refresh();

  // Packages that own the file at this path, without links in its folders; none is usual.
  std::vector<Owner> OwnersOf(std::string_view path) const;
  // A package with a file of this content, wherever that file lies: its scripts copy some. Null without one.
  const Package* PackageWith(const Md5Digest& content) const;
  // A program holds the lock of the database: packages are being installed or removed.
  bool IsBusy() const;

  const std::vector<Package>& packages() const { return packages_; }
  // Calls back with each file of the package that has a digest and is no configuration file, where it lies.
  // 0, or why its digests could not be read; few packages have none, which is no error.
  int EachDigest(const Package& package,
                 const std::function<void(const std::string& path, const Md5Digest&)>& visit) const;

 private:
  struct File {
    std::uint64_t path = 0;
    std::uint32_t package = 0;
    bool digested = false;
    bool configuration = false;
    Md5Digest digest{};
  };
  struct Diversion {
    std::string from;
    std::string to;
    std::string package;
  };

  int Load();
  int ReadStatus();
  void ReadDiversions();
  int ReadList(std::uint32_t package);
  void ReadDigests(std::uint32_t package);
  // Each line of its file of digests, where the file lies.
  int EachListed(std::uint32_t package,
                 const std::function<void(const std::string& path, const Md5Digest&)>& visit) const;
  std::string Canonical(std::string_view path) const;
  // Where a file of this package lies, after diversions, in canonical form.
  std::string PlaceOf(std::uint32_t package, std::string_view path) const;
  std::vector<std::int64_t> Stamps() const;

  const std::string admin_;
  const std::string root_;
  std::vector<std::int64_t> stamps_;
  std::vector<Package> packages_;
  // By hash of the path.
  std::vector<File> files_;
  // Those with a digest, by it.
  std::vector<std::uint32_t> digested_;
  std::vector<Diversion> diversions_;
  // Top folders that are links into /usr.
  std::vector<std::string> aliases_;
};

}  // namespace desk::files
