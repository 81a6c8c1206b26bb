#include "files/folder_links.h"

#include <fcntl.h>

#include <algorithm>
#include <array>

#include "core/read.h"
#include "core/result.h"

namespace desk::files {
namespace {

constexpr std::array<std::string_view, 9> kMerged{"bin",    "sbin",     "lib",       "lib32",    "lib64",
                                                  "libx32", "usr/sbin", "usr/lib64", "usr/lib32"};
// /sbin may lead to /usr/sbin, and that to /usr/bin.
constexpr int kMostSteps = 3;

}  // namespace

FolderLinks::FolderLinks(const std::string& root) {
  for (const std::string_view name : kMerged) {
    const Result<std::string_view> text = ReadLink(AT_FDCWD, std::string(root).append(name).c_str());
    if (!text || text->empty() || text->find("..") != std::string_view::npos) continue;
    // A relative link starts in the folder above: npos + 1 is 0.
    std::string to = text->starts_with('/') ? "" : "/";
    if (!to.empty()) to.append(name.substr(0, name.rfind('/') + 1));
    to.append(*text);
    if (!to.ends_with('/')) to += '/';
    links_.push_back({.from = std::string("/").append(name).append("/"), .to = std::move(to)});
  }
}

std::string FolderLinks::Canonical(std::string_view path) const {
  std::string place(path);
  for (int step = 0; step < kMostSteps; ++step) {
    const auto link =
        std::ranges::find_if(links_, [&](const Link& one) { return place.starts_with(one.from); });
    if (link == links_.end()) break;
    place.replace(0, link->from.size(), link->to);
  }
  return place;
}

}  // namespace desk::files
