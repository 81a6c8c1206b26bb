// Answers of getdents64(2): the numbers among the names of a directory.
#include "core/directory.h"

#include <string>
#include <vector>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {
namespace {

// One entry as the kernel writes it (fs/readdir.c): padded with zero bytes to a multiple of eight.
void Append(std::vector<char>& entries, const std::string& name) {
  const std::size_t begin = entries.size();
  const auto length = static_cast<std::uint16_t>((kEntryNameOffset + name.size() + 1 + 7) / 8 * 8);
  entries.resize(begin + length);
  std::memcpy(entries.data() + begin + offsetof(DirectoryEntry, length), &length, sizeof length);
  std::memcpy(entries.data() + begin + kEntryNameOffset, name.data(), name.size());
}

}  // namespace

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string_view text = TextOf(input);
  std::vector<std::int32_t> numbers;
  const auto keep = [&numbers](std::int32_t number) {
    numbers.push_back(number);
    return true;
  };
  const Result<bool> damaged = VisitNumbers(std::span(text), keep);
  Ensure(damaged ? *damaged : damaged.error() == EBADMSG);
  Ensure(numbers.size() <= text.size() / kEntryNameOffset);

  // The same bytes as names in order: each number comes out, and nothing else.
  numbers.clear();
  std::vector<char> entries;
  std::vector<std::int32_t> expected;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string name(TakeUntil(rest, '/').substr(0, 255));
    const auto number = ParseNumber<std::int32_t>(name.c_str());
    if (number && *number >= 0) expected.push_back(*number);
    Append(entries, name);
  }
  const Result<bool> walked = VisitNumbers(std::span<const char>(entries), keep);
  Ensure(walked.ok() && *walked && numbers == expected);
}

}  // namespace desk::fuzz
