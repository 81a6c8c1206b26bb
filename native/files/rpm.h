// rpm's database of packages, in the format of SQLite (rpm(8), lib/backend/sqlite.c of rpm). Its other
// formats, ndb and Berkeley DB, are not read, and reported.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "files/package_database.h"
#include "files/sqlite.h"

namespace desk::files {

class Rpm final : public PackageDatabase {
 public:
  // Where distributions have it; the first folder that has one counts.
  static std::vector<std::string> UsualFolders() {
    return {"/usr/lib/sysimage/rpm", "/var/lib/rpm", "/usr/share/rpm"};
  }

  explicit Rpm(std::vector<std::string> folders = UsualFolders(), std::string root = "/")
      : PackageDatabase("rpm", std::move(root)), folders_(std::move(folders)) {}

  bool IsBusy() const override;
  int EachDigest(const Package& package, const Visit& visit) const override;

 private:
  std::vector<std::string> Sources() const override;
  std::string Load() override;
  int LoadFrom(const std::string& path);

  const std::vector<std::string> folders_;
  Sqlite database_;
  // By number of the package, its row.
  std::vector<std::int64_t> rows_;
};

}  // namespace desk::files
