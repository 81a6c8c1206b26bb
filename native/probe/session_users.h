// Users who are logged in: systemd-logind creates /run/user/UID at a user's first session and removes it
// after the last (pam_systemd(8)).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.h"

namespace desk {

// Ascending, of the machine whose top folder is `top` ("/" for our own). None without such folders.
Result<std::vector<std::int32_t>> ListSessionUsers(const std::string& top);

}  // namespace desk
