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
  if (reading_ != Reading::kValue) return;
  const std::size_t room = kMostLoaderValue - value_.text.size();
  if (part.size() > room) value_.whole = false;
  value_.text.append(part.substr(0, room));
}

void LoaderEnvironment::EndString() {
  if (reading_ == Reading::kValue && !value_.text.empty()) {
    Value& kept = values_[variable_];
    const bool same = kept.text.empty() || kept.text == value_.text;
    value_.whole = value_.whole && kept.whole && same;
    kept = std::move(value_);
  }
  reading_ = Reading::kName;
  name_.clear();
  value_ = {};
}

}  // namespace desk
