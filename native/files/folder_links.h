// Folders of the system that are links to others since /usr was merged: a package may name its files by
// either.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace desk::files {

class FolderLinks {
 public:
  FolderLinks() = default;
  // Reads the links below `root`, which ends with a slash.
  explicit FolderLinks(const std::string& root);

  // The path by the folders that are no links.
  std::string Canonical(std::string_view path) const;

 private:
  // Both end with a slash.
  struct Link {
    std::string from;
    std::string to;
  };
  std::vector<Link> links_;
};

}  // namespace desk::files
