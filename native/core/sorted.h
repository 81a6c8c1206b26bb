// Sorted lists of distinct values.
#pragma once

#include <algorithm>
#include <vector>

namespace desk {

template <class T>
void SortDistinct(std::vector<T>& values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace desk
