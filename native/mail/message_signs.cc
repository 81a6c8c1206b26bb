#include "mail/message_signs.h"

#include <optional>
#include <string>

#include "mail/message_date.h"

namespace desk {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kEarliestMs = 315'532'800'000;

// The date behind the last semicolon (RFC 5322 section 3.6.7).
std::optional<std::int64_t> ReceivedTime(std::string_view received) {
  const std::size_t semicolon = received.rfind(';');
  if (semicolon == std::string_view::npos) return std::nullopt;
  std::string date;
  AppendCollapsed(received.substr(semicolon + 1), date);
  return MessageDate(date);
}

constexpr bool WordCharacter(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '_'; }

// Collapsed and in lower case.
std::string Said(const HeaderFields& fields, Field field) {
  std::string text;
  fields.AppendTo(text, field);
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

}  // namespace

std::int64_t MessageTime(const HeaderFields& fields, std::int64_t now_ms) {
  const auto believable = [now_ms](const std::optional<std::int64_t>& ms) {
    return ms && *ms >= kEarliestMs && *ms <= now_ms + kDayMs;
  };
  const std::optional<std::int64_t> delivered = ReceivedTime(fields.Raw(Field::kReceived));
  if (believable(delivered)) return *delivered;
  std::string date;
  fields.AppendTo(date, Field::kDate);
  const std::optional<std::int64_t> written = MessageDate(date);
  return believable(written) ? *written : kNoTime;
}

bool FromList(const HeaderFields& fields) { return fields.Has(Field::kListId); }

bool FromProgram(const HeaderFields& fields) {
  const std::string submitted = Said(fields, Field::kAutoSubmitted);
  if (!submitted.empty()) {
    const bool no = submitted.starts_with("no");
    if (!no) return true;
    if (submitted.size() > 2 && std::string_view(" ;(").find(submitted[2]) == std::string_view::npos) {
      return true;
    }
  }
  if (!FromList(fields)) {
    const std::string precedence = Said(fields, Field::kPrecedence);
    const bool many = precedence.starts_with("bulk") || precedence.starts_with("junk");
    if (many && (precedence.size() == 4 || !WordCharacter(precedence[4]))) return true;
  }
  const std::string path = Said(fields, Field::kReturnPath);
  return path == "<>" || path == "< >";
}

}  // namespace desk
