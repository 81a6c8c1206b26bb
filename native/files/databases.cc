#include "files/databases.h"

#include <algorithm>

#include "files/dpkg.h"
#include "files/pacman.h"
#include "files/rpm.h"

namespace desk::files {

PackageDatabases::List PackageDatabases::OfThisMachine() {
  List list;
  list.push_back(std::make_unique<Dpkg>());
  list.push_back(std::make_unique<Rpm>());
  list.push_back(std::make_unique<Pacman>());
  return list;
}

std::vector<PackageDatabases::State> PackageDatabases::Refresh() {
  std::vector<State> states;
  for (const auto& database : list_)
    if (const std::string& state = database->Refresh(); state != PackageDatabase::kNone)
      states.push_back({.database = database->name(), .state = state});
  return states;
}

std::vector<const Package*> PackageDatabases::Installed() const {
  std::vector<const Package*> installed;
  for (const auto& database : list_)
    for (const Package& package : database->packages())
      if (!package.removed) installed.push_back(&package);
  return installed;
}

const Package* PackageDatabases::Find(std::string_view id) const {
  for (const auto& database : list_)
    for (const Package& package : database->packages())
      if (package.id == id && !package.removed) return &package;
  return nullptr;
}

std::vector<Owner> PackageDatabases::OwnersOf(std::string_view path) const {
  std::vector<Owner> owners;
  for (const auto& database : list_) {
    const std::vector<Owner> more = database->OwnersOf(path);
    owners.insert(owners.end(), more.begin(), more.end());
  }
  return owners;
}

const Package* PackageDatabases::PackageWith(const Digest& content) const {
  for (const auto& database : list_)
    if (const Package* const package = database->PackageWith(content)) return package;
  return nullptr;
}

bool PackageDatabases::IsBusy() const {
  return std::ranges::any_of(
      list_, [](const auto& database) { return database->IsBusy(); });
}

}  // namespace desk::files
