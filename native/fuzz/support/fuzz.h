// The framework of the fuzz targets: each defines FuzzOne, and checks properties of any input by Ensure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>

namespace desk::fuzz {

// One input, of any bytes, in a buffer of exactly that size: ASan detects reads beyond it.
void FuzzOne(std::span<const std::uint8_t> input);

// A violated property ends the run like a crash. (clang 14 has no
// std::source_location.)
inline void Ensure(bool holds, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (holds) return;
  static_cast<void>(std::fprintf(stderr, "broken property at %s:%d\n", file, line));
  std::abort();
}

inline std::string_view TextOf(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Whether `part` is a piece of `whole`, not merely equal to one: answers that view the input must lie in it.
inline bool Inside(std::string_view part, std::string_view whole) {
  return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

// Takes values off the front of an input; zero when it has too few bytes left.
class Taker {
 public:
  explicit Taker(std::span<const std::uint8_t> input) : rest_(input) {}

  template <class T>
  T Take() {
    T value{};
    const std::size_t size = rest_.size() < sizeof(T) ? rest_.size() : sizeof(T);
    if (size > 0) std::memcpy(&value, rest_.data(), size);
    rest_ = rest_.subspan(size);
    return value;
  }
  // At most `most` bytes, as many as the next byte says.
  std::span<const std::uint8_t> TakeBytes(std::size_t most) {
    std::size_t size = Take<std::uint8_t>();
    if (size > most) size = most;
    if (size > rest_.size()) size = rest_.size();
    const auto taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }
  std::span<const std::uint8_t> rest() const { return rest_; }

 private:
  std::span<const std::uint8_t> rest_;
};

}  // namespace desk::fuzz
