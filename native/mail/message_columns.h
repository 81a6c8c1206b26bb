// The input of the people ledger: facts of many messages, from their headers alone, as columns of numbers.
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
// Most parts of the address fields of one message.
inline constexpr std::size_t kMostParts = 1000;

struct MessageColumns {
  // kMessageKey bytes each: SipHash-2-4-128 of the Message-ID without blanks (where there is none: of date
  // and subject) and of the collapsed from, to, cc and bcc, so that a collision needs the ledger's key.
  // Folds and line ends do not matter, messages of one key name the same people by
  // the same names, and a foreign Message-ID cannot suppress a message.
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

  // Adds a row for the message of a header, at most kMostHeader bytes of it. Times more than a day after
  // `now_ms` are ignored.
  void Add(std::string_view header, std::int64_t now_ms);

  struct Taken {
    MessageColumns columns;
    // Number of the first new text; and the new ones, one per line. 0: numbers start again.
    std::size_t first_text = 0;
    std::string texts;
  };
  // What was added since the last call.
  Taken Take();

  // Adds everything taken from a reader of the same key.
  void Append(const Taken& other);

  const SipKey& key() const { return key_; }

  // Bytes of texts not taken yet.
  std::size_t waiting() const { return texts_.fresh().size(); }

 private:
  void AddPeople(std::string_view list, std::size_t most);

  SipKey key_;
  HeaderFields fields_;
  TextNumbers texts_;
  std::size_t texts_taken_ = 0;
  MessageColumns columns_;
  std::string keyed_;
  std::vector<std::string_view> parts_;
};

}  // namespace desk
