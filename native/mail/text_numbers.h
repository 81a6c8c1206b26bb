// Texts by number: each is told once, and then known by its number.
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

  // Texts that are known, and the bytes they take, a line each.
  std::size_t size() const { return begins_.size(); }
  std::size_t bytes() const { return lines_.size(); }
  // Those that are new since they were taken, a line each.
  std::string_view fresh() const { return std::string_view(lines_).substr(taken_); }
  std::string TakeFresh();
  // Knows none any more: numbers begin at 0 again.
  void Clear();

 private:
  // An open table (linear probing, at most half full): few texts are looked at in vain, and none lies apart.
  struct Slot {
    std::uint32_t tag = 0;
    // Its number and 1; 0: empty.
    std::uint32_t place = 0;
  };

  std::string_view TextAt(std::uint32_t number) const;
  void Grow();

  std::vector<Slot> slots_;
  std::string lines_;
  // Where each begins in them.
  std::vector<std::size_t> begins_;
  std::size_t taken_ = 0;
};

}  // namespace desk
