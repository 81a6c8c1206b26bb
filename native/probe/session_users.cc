#include "probe/session_users.h"

#include <fcntl.h>

#include <algorithm>

#include "core/directory.h"

namespace desk {

Result<std::vector<std::int32_t>> ListSessionUsers(const std::string& top) {
  std::vector<std::int32_t> uids;
  const Result<bool> walked = WalkNumbers(AT_FDCWD, (top + "/run/user").c_str(), [&](std::int32_t uid, int) {
    uids.push_back(uid);
    return true;
  });
  if (!walked && walked.error() != ENOENT) return walked.refusal();
  std::ranges::sort(uids);
  return uids;
}

}  // namespace desk
