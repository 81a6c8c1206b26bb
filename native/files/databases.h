// The package databases of a machine, as one: it may have several.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "files/package_database.h"

namespace desk::files {

class PackageDatabases {
 public:
  using List = std::vector<std::unique_ptr<PackageDatabase>>;

  explicit PackageDatabases(List list) : list_(std::move(list)) {}

  // dpkg, rpm and pacman, where they keep their databases.
  static List OfThisMachine();

  struct State {
    const char* database = "";
    // As PackageDatabase::Refresh returns it.
    std::string state;
  };
  // Those that are on this machine.
  std::vector<State> Refresh();

  std::vector<const Package*> Installed() const;
  // The installed package with this id; null without one.
  const Package* Find(std::string_view id) const;
  std::vector<Owner> OwnersOf(std::string_view path) const;
  const Package* PackageWith(const Digest& content) const;
  bool IsBusy() const;

 private:
  const List list_;
};

}  // namespace desk::files
