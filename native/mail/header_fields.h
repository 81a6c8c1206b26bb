// The fields of a message header that the people ledger uses (RFC 5322 section 2.2).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace desk {

enum class Field : std::uint8_t {
  kFrom,
  kTo,
  kCc,
  kBcc,
  kDate,
  kSubject,
  kMessageId,
  kReceived,
  kReturnPath,
  kListId,
  kAutoSubmitted,
  kPrecedence,
};

// In the order of Field.
inline constexpr std::array<std::string_view, 12> kMessageFields = {
    "from",       "to",       "cc",          "bcc",     "date",           "subject",
    "message-id", "received", "return-path", "list-id", "auto-submitted", "precedence"};

// Bytes of a header that are read.
inline constexpr std::size_t kMostHeader = 65'536;

// Bytes of the header at the front of `bytes` with its empty line; npos when its end is not among them.
std::size_t HeaderEnd(std::string_view bytes);

// Appends a text with each run of blanks and line ends replaced by one space, and none at its ends: the
// result does not depend on folding (RFC 5322 section 2.2.3) and has no line feed.
void AppendCollapsed(std::string_view text, std::string& into);

// The fields of one header, which ends at its first empty line or with the text. Of repeated fields the first
// counts; those of to, cc and bcc are joined.
class HeaderFields {
 public:
  // Finds the fields, replacing those of the previous header. Linear in the length of the text, which must
  // outlive the use of the values.
  void Find(std::string_view header);

  bool Has(Field field) const { return there_[At(field)]; }
  // Unmodified, with folds; of several the first.
  std::string_view Raw(Field field) const { return first_[At(field)]; }
  // Appends the collapsed value, several separated by commas; nothing for a missing field.
  void AppendTo(std::string& into, Field field) const;

 private:
  static constexpr std::size_t At(Field field) { return static_cast<std::size_t>(field); }

  std::array<std::string_view, kMessageFields.size()> first_{};
  std::array<bool, kMessageFields.size()> there_{};
  std::vector<std::pair<Field, std::string_view>> more_;
};

}  // namespace desk
