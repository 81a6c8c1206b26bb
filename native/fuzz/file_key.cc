// /proc/PID/fdinfo/FD and /proc/PID/mountinfo, as the key of an open file.
#include <algorithm>
#include <string>

#include "fuzz/support/fuzz.h"
#include "probe/locks.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  Taker taker(input);
  const std::string info(TextOf(taker.TakeBytes(255)));
  const std::string mounts(TextOf(taker.rest()));
  const auto key = ParseFileKey(info, mounts);
  Ensure(!ParseFileKey("", mounts) && !ParseFileKey(info, ""));
  if (!key) return;
  // Both files name the mount and contain the numbers.
  Ensure(info.find("mnt_id:") != std::string::npos && info.find("ino:") != std::string::npos);
  Ensure(std::ranges::any_of(mounts, [](char c) { return c == ':'; }));
  // What follows these lines is ignored.
  const auto again = ParseFileKey(info + "\nmnt_id:\t0\nino:\t0\n", mounts + "\n0 1 9:9 / / rw\n");
  Ensure(again == key);
  // Lines made from the key give the same key.
  const auto own =
      ParseFileKey("pos:\t0\nmnt_id:\t7\nino:\t" + std::to_string(key->inode) + "\n",
                   "7 1 " + std::to_string(key->major) + ":" + std::to_string(key->minor) + " / / rw\n");
  Ensure(own == key);
}

}  // namespace desk::fuzz
