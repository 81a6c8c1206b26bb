// Messages as columns: rows and texts fit together, numbers refer to the same texts, and a message has one
// key.
#include "mail/message_columns.h"

#include <string>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {
namespace {

constexpr std::int64_t kNowMs = 1'767'225'600'000;

// The texts of a reader, by number.
class Texts {
 public:
  void Take(const MessageReader::Taken& taken) {
    Ensure(taken.first_text == texts_.size() || taken.first_text == 0);
    texts_.resize(taken.first_text);
    std::string_view rest = taken.texts;
    while (!rest.empty()) {
      const std::size_t feed = rest.find('\n');
      Ensure(feed != std::string_view::npos && feed > 0);
      texts_.emplace_back(rest.substr(0, feed));
      rest.remove_prefix(feed + 1);
    }
  }
  const std::string& operator[](std::uint32_t number) const {
    Ensure(number < texts_.size());
    return texts_[number];
  }

 private:
  std::vector<std::string> texts_;
};

void CheckShape(const MessageColumns& columns, std::size_t rows) {
  Ensure(columns.keys.size() == rows * kMessageKey && columns.times.size() == rows);
  Ensure(columns.flags.size() == rows && columns.ends.size() == 3 * rows);
  std::uint32_t end = 0;
  for (const std::uint32_t next : columns.ends) {
    Ensure(next >= end);
    end = next;
  }
  Ensure(end == columns.named.size() && end <= rows * kMostParts);
  for (const double time : columns.times)
    Ensure(time == -1 || (time >= 315'532'800'000 && time <= kNowMs + 86'400'000));
  for (const std::uint8_t flags : columns.flags) Ensure(flags <= (kOverList | kByProgram));
}

// Of the message with blanks and line ends of other kinds: outside of its names they are one to the reader.
std::string LaidOut(std::string_view header) {
  std::string other;
  for (const char c : header) {
    if (c == '\n' && !other.ends_with('\r')) other += '\r';
    other += c;
  }
  return other;
}

}  // namespace

void FuzzOne(std::span<const std::uint8_t> input) {
  Taker taker(input);
  const SipKey key{taker.Take<std::uint64_t>(), taker.Take<std::uint64_t>()};
  const std::string_view header = TextOf(taker.rest()).substr(0, kMostHeader / 2);
  MessageReader reader(key);
  Texts texts;
  reader.Add(header, kNowMs);
  const MessageReader::Taken first = reader.Take();
  CheckShape(first.columns, 1);
  texts.Take(first);
  reader.Add("From: first@x\n\n", kNowMs);
  reader.Add(header, kNowMs);
  const MessageReader::Taken second = reader.Take();
  CheckShape(second.columns, 2);
  texts.Take(second);
  Ensure(texts[second.columns.named[0]] == "first@x");
  const std::vector<std::uint32_t> again(second.columns.named.begin() + 1, second.columns.named.end());
  Ensure(again == first.columns.named);
  for (const std::uint32_t number : again) Ensure(!texts[number].empty());
  const auto same = [&first](const MessageColumns& columns, std::size_t row) {
    return std::equal(first.columns.keys.begin(), first.columns.keys.end(),
                      columns.keys.begin() + static_cast<std::ptrdiff_t>(row * kMessageKey));
  };
  Ensure(same(second.columns, 1) && !same(second.columns, 0));
  // A reader that gets everything from others gives the same as one that reads everything.
  MessageReader all(key);
  all.Append(first);
  MessageReader part(key);
  part.Add("From: first@x\n\n", kNowMs);
  part.Add(header, kNowMs);
  all.Append(part.Take());
  const MessageReader::Taken appended = all.Take();
  CheckShape(appended.columns, 3);
  Ensure(appended.texts == first.texts + second.texts && same(appended.columns, 0) &&
         same(appended.columns, 2));
  Ensure(std::equal(first.columns.named.begin(), first.columns.named.end(), appended.columns.named.begin()));
  Ensure(std::equal(second.columns.named.begin(), second.columns.named.end(),
                    appended.columns.named.end() - static_cast<std::ptrdiff_t>(second.columns.named.size())));
  // With the other line ends it is the same message.
  reader.Add(LaidOut(header), kNowMs);
  const MessageReader::Taken laid_out = reader.Take();
  Ensure(same(laid_out.columns, 0) && laid_out.columns.named == first.columns.named);
  Ensure(laid_out.columns.flags == first.columns.flags && laid_out.columns.times == first.columns.times);
}

}  // namespace desk::fuzz
