#include "mail/message_columns.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "core/text.h"
#include "mail/address_parts.h"
#include "mail/message_signs.h"

namespace desk {
namespace {

constexpr std::array<Field, 4> kLists = {Field::kFrom, Field::kTo, Field::kCc, Field::kBcc};
// All texts are dropped at this number, or this many bytes.
constexpr std::size_t kMostTexts = 1 << 16;
constexpr std::size_t kMostTextBytes = 8u << 20;

// Of a collapsed text.
void AppendWithoutBlanks(const HeaderFields& fields, Field field, std::string& into) {
  const std::size_t begin = into.size();
  fields.AppendTo(into, field);
  into.erase(std::remove(into.begin() + static_cast<std::ptrdiff_t>(begin), into.end(), ' '), into.end());
}

}  // namespace

void MessageReader::AddPeople(std::string_view list, std::size_t most) {
  DivideAddresses(list, parts_);
  for (const std::string_view part : parts_) {
    if (columns_.named.size() >= most) return;
    columns_.named.push_back(texts_.NumberOf(part));
  }
}

void MessageReader::Add(std::string_view header, std::int64_t now_ms) {
  fields_.Find(header);
  keyed_.clear();
  AppendWithoutBlanks(fields_, Field::kMessageId, keyed_);
  if (keyed_.empty()) {
    keyed_ += '\n';
    AppendWithoutBlanks(fields_, Field::kDate, keyed_);
    keyed_ += '\n';
    AppendWithoutBlanks(fields_, Field::kSubject, keyed_);
  }
  const std::size_t most = columns_.named.size() + kMostParts;
  for (const Field field : kLists) {
    // A collapsed text has none.
    keyed_ += '\n';
    const std::size_t begin = keyed_.size();
    fields_.AppendTo(keyed_, field);
    AddPeople(std::string_view(keyed_).substr(begin), most);
    if (field != Field::kCc) columns_.ends.push_back(static_cast<std::uint32_t>(columns_.named.size()));
  }
  const std::array<std::uint8_t, kMessageKey> key = SipHash24Wide(key_, BytesOf(keyed_));
  columns_.keys.insert(columns_.keys.end(), key.begin(), key.end());
  columns_.times.push_back(static_cast<double>(MessageTime(fields_, now_ms)));
  columns_.flags.push_back(static_cast<std::uint8_t>((FromList(fields_) ? kOverList : 0) |
                                                     (FromProgram(fields_) ? kByProgram : 0)));
}

MessageReader::Taken MessageReader::Take() {
  Taken taken{std::exchange(columns_, {}), std::exchange(texts_taken_, texts_.size()), texts_.TakeFresh()};
  if (texts_.size() > kMostTexts || texts_.bytes() > kMostTextBytes) {
    texts_.Clear();
    texts_taken_ = 0;
  }
  return taken;
}

void MessageReader::Append(const Taken& other) {
  std::vector<std::uint32_t> numbers;
  for (std::string_view rest = other.texts; !rest.empty();)
    numbers.push_back(texts_.NumberOf(TakeUntil(rest, '\n')));
  const auto begin = static_cast<std::uint32_t>(columns_.named.size());
  const MessageColumns& more = other.columns;
  for (const std::uint32_t number : more.named) columns_.named.push_back(numbers[number]);
  for (const std::uint32_t end : more.ends) columns_.ends.push_back(begin + end);
  columns_.keys.insert(columns_.keys.end(), more.keys.begin(), more.keys.end());
  columns_.times.insert(columns_.times.end(), more.times.begin(), more.times.end());
  columns_.flags.insert(columns_.flags.end(), more.flags.begin(), more.flags.end());
}

}  // namespace desk
