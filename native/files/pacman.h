// pacman's database of packages: a folder for each, with its description, its files and their digests
// (pacman(8), lib/libalpm/be_local.c of pacman).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "files/mtree.h"
#include "files/package_database.h"

namespace desk::files {

class Pacman final : public PackageDatabase {
 public:
  // `admin`: the folder of the database.
  explicit Pacman(std::string admin = "/var/lib/pacman", std::string root = "/")
      : PackageDatabase("pacman", std::move(root)), admin_(std::move(admin)) {}

  bool IsBusy() const override;
  int EachDigest(const Package& package, const Visit& visit) const override;

 private:
  std::vector<std::string> Sources() const override;
  std::string Load() override;
  int LoadPackage(const std::string& folder);
  // Each file of its mtree that has a digest; 0, or why it could not be read.
  int EachFile(const std::string& folder, const std::function<void(const MtreeEntry&)>& visit) const;

  const std::string admin_;
  // By number of the package, its folder.
  std::vector<std::string> folders_;
};

}  // namespace desk::files
