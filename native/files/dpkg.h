// dpkg's database of packages, read from its own files (dpkg(1), deb-md5sums(5), dpkg-divert(1)).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/package_database.h"

namespace desk::files {

class Dpkg final : public PackageDatabase {
 public:
  // `admin`: the folder of the database.
  explicit Dpkg(std::string admin = "/var/lib/dpkg", std::string root = "/")
      : PackageDatabase("dpkg", std::move(root)), admin_(std::move(admin)) {}

  bool IsBusy() const override;
  // A package may have no digests, which is not an error.
  int EachDigest(const Package& package, const Visit& visit) const override;
  // Packages of Debian have a digest of each regular file.
  void EachOther(const Package& package, const VisitOther& visit) const override;

 private:
  struct Diversion {
    std::string from;
    std::string to;
    std::string package;
  };

  std::vector<std::string> Sources() const override;
  std::string Load() override;
  int ReadStatus();
  void ReadDiversions();
  int ReadList(std::uint32_t number);
  // What dpkg's own folder says: when its files were unpacked, and which scripts are those of the package.
  void AddInformation(std::uint32_t number);
  void ReadDigests(std::uint32_t number);
  // Each line of its file of digests, where the file lies.
  int EachListed(const Package& package, const Visit& visit) const;
  // Where a file of this package lies, after diversions, in canonical form.
  std::string PlaceOf(const Package& package, std::string_view path) const;

  const std::string admin_;
  std::vector<Diversion> diversions_;
};

}  // namespace desk::files
