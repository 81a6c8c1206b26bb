// Texts by number: each is told once, and then known by its number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace desk {

class TextNumbers {
 public:
  // Number of a text without line feeds; a new one gets the next, from 0 on.
  std::uint32_t NumberOf(std::string_view text);

  // Texts that are known, and the bytes they take.
  std::size_t size() const { return numbers_.size(); }
  std::size_t bytes() const { return bytes_; }
  // Those that are new since they were taken, a line each.
  const std::string& fresh() const { return fresh_; }
  std::string TakeFresh() { return std::exchange(fresh_, {}); }
  // Knows none any more: numbers begin at 0 again.
  void Clear();

 private:
  // Strangers write these texts: without the key of the process they cannot make them collide.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const;
  };

  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
  std::string fresh_;
  std::size_t bytes_ = 0;
};

}  // namespace desk
