// A set of 64-bit values, with a branch-free lookup.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace desk::kernel {

// Cuckoo table (Pagh, Rodler: "Cuckoo Hashing"): a value is in one of two slots, so that a lookup is always
// two loads and two comparisons. A chained or probed table costs a mispredicted branch every few rows. An
// empty slot holds some member of the set: a match is a member in any case.
class CuckooTable {
 public:
  CuckooTable() = default;
  // `values` are distinct and not empty.
  explicit CuckooTable(std::span<const std::uint64_t> values);

  bool Has(std::uint64_t value) const {
    const std::uint64_t mixed = value * multiplier_;
    const unsigned first = slots_[mixed >> shift_] == value ? 1 : 0;
    const unsigned second = slots_[(mixed << bits_) >> shift_] == value ? 1 : 0;
    return (first | second) != 0;
  }

 private:
  bool Fill(std::span<const std::uint64_t> values);

  std::vector<std::uint64_t> slots_;
  std::uint64_t multiplier_ = 0;
  // Width of a slot number, and what is left of 64 bits.
  int bits_ = 1;
  int shift_ = 63;
};

class ValueSet {
 public:
  explicit ValueSet(std::vector<std::uint64_t> values);

  // Ascending, distinct.
  std::span<const std::uint64_t> values() const { return values_; }
  bool Has(std::uint64_t value) const { return !values_.empty() && table_.Has(value); }
  // Only when there are values.
  const CuckooTable& table() const { return table_; }

 private:
  std::vector<std::uint64_t> values_;
  CuckooTable table_;
};

}  // namespace desk::kernel
