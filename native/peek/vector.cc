#include "peek/vector.h"

#include <elf.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

namespace desk {
namespace {

constexpr std::uint64_t kMostVector = 4096;

// For a program with words of type `Word`; nothing when the vector is not of that type.
template <class Word>
std::optional<bool> SecureIn(std::string_view vector) {
  std::optional<Word> secure;
  bool has_page_size = false;
  while (vector.size() >= 2 * sizeof(Word)) {
    std::array<Word, 2> entry{};
    std::memcpy(entry.data(), vector.data(), sizeof entry);
    vector.remove_prefix(sizeof entry);
    if (entry[0] == AT_NULL) break;
    if (entry[0] == AT_SECURE) secure = entry[1];
    if (entry[0] == AT_PAGESZ) has_page_size = std::has_single_bit(entry[1]) && entry[1] >= 4096;
  }
  if (!has_page_size || !secure) return std::nullopt;
  return *secure == 1;
}

}  // namespace

std::string ReadVector(const Subject& subject) {
  std::string vector;
  const int error = ReadPieces(subject, "auxv", kMostVector, [&vector](std::string_view piece) {
    vector.append(piece);
    return true;
  });
  return error == 0 ? vector : std::string();
}

bool HasStarted(std::string_view vector) { return vector.find_first_not_of('\0') != std::string_view::npos; }

bool IsSecure(std::string_view vector) {
  return SecureIn<std::uint64_t>(vector).value_or(SecureIn<std::uint32_t>(vector).value_or(false));
}

}  // namespace desk
