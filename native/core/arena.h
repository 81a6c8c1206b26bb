// One shard's part of the text arena: bytes are appended until it is full.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace desk {

// A piece of the arena, counted from the start of the whole arena.
struct Place {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
};

class Arena {
 public:
  Arena(std::uint8_t* text, std::uint32_t begin, std::uint32_t end) : text_(text), at_(begin), end_(end) {}

  // Nothing when the bytes do not fit: overflow() is true then.
  std::optional<Place> Append(std::string_view bytes) {
    if (bytes.size() > end_ - at_) {
      overflow_ = true;
      return std::nullopt;
    }
    const Place place{at_, static_cast<std::uint32_t>(bytes.size())};
    if (!bytes.empty()) std::memcpy(text_ + at_, bytes.data(), bytes.size());
    at_ += place.length;
    return place;
  }
  // The same, or `last` when its bytes are equal.
  std::optional<Place> AppendUnless(const Place& last, std::string_view bytes) {
    if (std::string_view(reinterpret_cast<const char*>(text_) + last.offset, last.length) == bytes)
      return last;
    return Append(bytes);
  }
  bool overflow() const { return overflow_; }

 private:
  std::uint8_t* text_;
  std::uint32_t at_;
  std::uint32_t end_;
  bool overflow_ = false;
};

}  // namespace desk
