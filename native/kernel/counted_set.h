// How often each number occurs in a changing collection; 0 is not counted. The numbers are keyed hashes, so
// their low bits are as good as any.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace desk {

class CountedSet {
 public:
  std::uint32_t distinct() const { return distinct_; }

  void Clear() {
    slots_.assign(kLeastSlots, {});
    distinct_ = 0;
  }

  void Add(std::uint64_t value) {
    if (value == 0) return;
    if (2 * (std::size_t{distinct_} + 1) > slots_.size()) Grow();
    Slot& slot = slots_[Find(value)];
    if (slot.count == 0) {
      slot.value = value;
      ++distinct_;
    }
    ++slot.count;
  }

  // `value` was added before.
  void Remove(std::uint64_t value) {
    if (value == 0) return;
    std::size_t hole = Find(value);
    if (slots_[hole].count == 0 || --slots_[hole].count > 0) return;
    --distinct_;
    // Entries behind the hole move up, unless they already are where their search begins.
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = (hole + 1) & mask; slots_[at].count > 0; at = (at + 1) & mask) {
      const std::size_t home = slots_[at].value & mask;
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      slots_[hole] = slots_[at];
      hole = at;
    }
    slots_[hole] = {};
  }

 private:
  struct Slot {
    std::uint64_t value = 0;
    std::uint32_t count = 0;
  };

  static constexpr std::size_t kLeastSlots = 64;

  std::size_t Find(std::uint64_t value) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = value & mask;
    while (slots_[at].count > 0 && slots_[at].value != value) at = (at + 1) & mask;
    return at;
  }

  void Grow() {
    std::vector<Slot> old(2 * slots_.size());
    std::swap(old, slots_);
    for (const Slot& slot : old)
      if (slot.count > 0) slots_[Find(slot.value)] = slot;
  }

  std::vector<Slot> slots_ = std::vector<Slot>(kLeastSlots);
  std::uint32_t distinct_ = 0;
};

}  // namespace desk
