// Numbers for texts: each text is transferred once, then referred to by its number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace desk {

class TextNumbers {
 public:
  // Number of a text without line feeds; a new one gets the next, from 0 on.
  std::uint32_t NumberOf(std::string_view text);

  // Known texts, and their bytes, one line each.
  std::size_t size() const { return begins_.size(); }
  std::size_t bytes() const { return lines_.size(); }
  // Texts added since the last TakeFresh, one per line.
  std::string_view fresh() const { return std::string_view(lines_).substr(taken_); }
  std::string TakeFresh();
  // Drops all texts: numbers start at 0 again.
  void Clear();

 private:
  // A hash table with linear probing, at most half full.
  struct Slot {
    std::uint32_t tag = 0;
    // Its number plus 1; 0 = empty.
    std::uint32_t place = 0;
  };

  std::string_view TextAt(std::uint32_t number) const;
  void Grow();

  std::vector<Slot> slots_;
  std::string lines_;
  // Offset of each.
  std::vector<std::size_t> begins_;
  std::size_t taken_ = 0;
};

}  // namespace desk
