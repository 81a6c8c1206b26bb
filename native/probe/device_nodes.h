// What stands below /dev and is no device that the kernel knows: regular files, and character devices whose
// major number no driver has (proc_devices(5)).
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

struct DeviceLook {
  // At most kMostStrange, in the order of the walk; `strange_count` is all of them.
  std::vector<StrangeNode> strange;
  std::uint32_t strange_count = 0;
  // Entries seen.
  std::uint32_t entries = 0;
  // Folders that were not entered: other file systems, what lies too deep, what was refused, at most
  // kMostStrange.
  std::vector<std::string> unseen;
  // The walk ended before its end, at kMostEntries.
  bool cut = false;
  // errno of reading the majors: character devices are not judged then.
  int majors_error = 0;
};

inline constexpr std::uint32_t kMostStrange = 64;
inline constexpr std::uint32_t kMostEntries = 65'536;
inline constexpr std::uint32_t kMostDepth = 8;

// Major numbers of character devices, ascending. EBADMSG when the text has no such section.
Result<std::vector<std::uint32_t>> ParseCharacterMajors(std::string_view text);

// Walks `dev` without following links and without entering another file system, whose server may not answer.
// Of its own folders shm, mqueue, pts and hugepages are left alone: what stands there is no device.
Result<DeviceLook> FindStrangeNodes(int root, const std::string& dev);

}  // namespace desk
