// What the people ledger wants of many messages, from their headers alone, as columns of numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/siphash.h"
#include "mail/header_fields.h"
#include "mail/text_numbers.h"

namespace desk {

inline constexpr std::size_t kMessageKey = 16;
// Bits of a message's flags.
inline constexpr std::uint8_t kOverList = 1;
inline constexpr std::uint8_t kByProgram = 2;
// Parts of address fields of one message that are told.
inline constexpr std::size_t kMostParts = 1000;

struct MessageColumns {
  // kMessageKey bytes each: SipHash-2-4-128 of the Message-ID without blanks (where there is none: of date
  // and subject) and of the collapsed from, to, cc and bcc, from which nothing but the ledger's key leads to
  // a second message of that hash. So folds and line ends do not matter, messages of one key name the same
  // people by the same names, and nobody suppresses a message of others by its Message-ID.
  std::vector<std::uint8_t> keys;
  // MessageTime, and kOverList, kByProgram.
  std::vector<double> times;
  std::vector<std::uint8_t> flags;
  // Numbers of texts of all messages, and for each message where its from, to, and cc with bcc end among
  // them.
  std::vector<std::uint32_t> named;
  std::vector<std::uint32_t> ends;
};

class MessageReader {
 public:
  explicit MessageReader(const SipKey& key) : key_(key) {}

  // Adds a row for the message of a header, at most kMostHeader bytes of it. `now_ms`: what is a day beyond
  // is no believable time.
  void Add(std::string_view header, std::int64_t now_ms);

  struct Taken {
    MessageColumns columns;
    // Number of the first text that is new; and the new ones, a line each. 0: numbers begin anew.
    std::size_t first_text = 0;
    std::string texts;
  };
  // What was added since it was last taken.
  Taken Take();

  // Adds what was taken from a reader of the same key, all that it had read.
  void Append(const Taken& other);

  const SipKey& key() const { return key_; }

  // Bytes of texts that wait to be taken.
  std::size_t waiting() const { return texts_.fresh().size(); }

 private:
  void AddPeople(std::string_view list, std::size_t most);

  SipKey key_;
  HeaderFields fields_;
  TextNumbers texts_;
  std::size_t told_ = 0;
  MessageColumns columns_;
  std::string keyed_;
  std::vector<std::string_view> parts_;
};

}  // namespace desk
