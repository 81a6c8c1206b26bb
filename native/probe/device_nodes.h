// Files below /dev that are not devices known to the kernel: regular files, and character devices whose major
// number no driver has registered (proc_devices(5)).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace desk {

struct StrangeNode {
  // Below the folder that was walked, "net/tun".
  std::string path;
  // Regular file; else a character device.
  bool regular = false;
  std::uint64_t bytes = 0;
  std::uint32_t uid = 0;
  std::uint32_t mode = 0;
  // Of a character device.
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
};

struct DeviceScan {
  // At most kMostStrange, in the order of the walk; `strange_count` is all of them.
  std::vector<StrangeNode> strange;
  std::uint32_t strange_count = 0;
  // Entries seen.
  std::uint32_t entries = 0;
  // Folders that were not entered: on other file systems, too deep, or refused; at most kMostStrange.
  std::vector<std::string> unseen;
  // The walk stopped at kMostEntries.
  bool cut = false;
  // errno of reading the majors: character devices are not checked then.
  int majors_error = 0;
};

inline constexpr std::uint32_t kMostStrange = 64;
inline constexpr std::uint32_t kMostEntries = 65'536;
inline constexpr std::uint32_t kMostDepth = 8;

// Major numbers of character devices, ascending. EBADMSG when the text has no such section.
Result<std::vector<std::uint32_t>> ParseCharacterMajors(std::string_view text);

// Walks `dev` without following links and without entering another file system, whose server may not answer.
// Skips its folders shm, mqueue, pts and hugepages, which hold no devices.
Result<DeviceScan> FindStrangeNodes(int root, const std::string& dev);

}  // namespace desk
