// A set of few pids, with a filter of 512 bits for the common negative case.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace desk {

class PidSet {
 public:
  // Does nothing for a pid that the set has.
  void Add(std::int32_t pid) {
    filter_[(pid & 511) >> 6] |= std::uint64_t{1} << (pid & 63);
    const auto at = std::ranges::lower_bound(pids_, pid);
    if (at == pids_.end() || *at != pid) pids_.insert(at, pid);
  }
  bool Has(std::int32_t pid) const {
    if ((filter_[(pid & 511) >> 6] >> (pid & 63) & 1) == 0) return false;
    return std::ranges::binary_search(pids_, pid);
  }
  // Ascending.
  std::vector<std::int32_t> Take() { return std::move(pids_); }

 private:
  std::uint64_t filter_[8] = {};
  std::vector<std::int32_t> pids_;
};

}  // namespace desk
