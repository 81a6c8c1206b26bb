// Facts about a message other than people: when it came, and whether a list or a program sent it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "mail/header_fields.h"

namespace desk {

// RFC 5322 sections 3.3 and 4.3. Milliseconds since the epoch of the first date in the first 200 bytes of the
// text; nothing when there is none, or it is invalid. Named zones other than those of North America count as
// UTC, as the military ones must.
std::optional<std::int64_t> MessageDate(std::string_view text);

inline constexpr std::int64_t kNoTime = -1;

// Milliseconds since the epoch at which the message was delivered (the topmost Received field, written by the
// receiving server), else written (Date); kNoTime without a plausible time: no mail is older than 1980 (RFC
// 822 is of 1982), or more than a day younger than `now_ms`.
std::int64_t MessageTime(const HeaderFields& fields, std::int64_t now_ms);

// It came over a mailing list (List-Id, RFC 2919).
bool FromList(const HeaderFields& fields);
// A program sent it: Auto-Submitted (RFC 3834), a null return path, or Precedence; lists also set Precedence
// for mail written by people, so it is ignored there.
bool FromProgram(const HeaderFields& fields);

}  // namespace desk
