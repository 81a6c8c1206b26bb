#include "peek/environment.h"

#include <algorithm>
#include <utility>

namespace desk {
namespace {

constexpr std::size_t kLongestName =
    std::ranges::max(kLoaderVariables, {}, [](std::string_view name) { return name.size(); }).size();

}  // namespace

void LoaderEnvironment::Take(std::string_view piece) {
  while (!piece.empty()) {
    const std::size_t end = piece.find('\0');
    Grow(piece.substr(0, end));
    if (end == std::string_view::npos) return;
    EndString();
    piece.remove_prefix(end + 1);
  }
}

void LoaderEnvironment::Grow(std::string_view part) {
  if (reading_ == Reading::kName) {
    const std::size_t equals = part.find('=');
    const std::string_view more = part.substr(0, equals);
    if (name_.size() + more.size() > kLongestName) {
      reading_ = Reading::kNothing;
      return;
    }
    name_.append(more);
    if (equals == std::string_view::npos) return;
    const auto* const found = std::ranges::find(kLoaderVariables, name_);
    variable_ = static_cast<std::size_t>(found - kLoaderVariables.begin());
    reading_ = found == kLoaderVariables.end() ? Reading::kNothing : Reading::kValue;
    part.remove_prefix(equals + 1);
  }
  if (reading_ == Reading::kValue) value_.append(part.substr(0, kMostLoaderValue - value_.size()));
}

void LoaderEnvironment::EndString() {
  if (reading_ == Reading::kValue && !value_.empty()) values_[variable_] = std::move(value_);
  reading_ = Reading::kName;
  name_.clear();
  value_.clear();
}

}  // namespace desk
