// What confinement is measured against: the namespaces and bounding set of an unconfined process of this
// machine.
#pragma once

#include <cstdint>

namespace desk {

// Where the reference comes from, strongest first.
enum class ReferenceSource : std::uint8_t { kFixed, kPid2, kPid1, kSelf, kUnknown };

struct Reference {
  // The weakest source among the four namespaces.
  ReferenceSource source = ReferenceSource::kUnknown;
  // Namespace inode numbers, 0 = unknown: then nothing can be compared with it.
  std::uint32_t ns_user = 0;
  std::uint32_t ns_pid = 0;
  std::uint32_t ns_mnt = 0;
  std::uint32_t ns_net = 0;
  std::uint64_t cap_bnd = 0;
  bool cap_bnd_known = false;
};

}  // namespace desk
