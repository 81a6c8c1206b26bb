// The verdict on one thread: which kernel confinement applies to it, and what could not be read. A seccomp
// filter and a mount namespace do not count for a thread with all capabilities of the reference. Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "core/columns.h"

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

// Facts of a thread; an empty optional is a fact that could not be read.
struct ThreadFacts {
  struct FromStatus {
    std::uint8_t seccomp = 0;
    bool no_new_privs = false;
    std::uint64_t cap_eff = 0;
    std::uint64_t cap_bnd = 0;
    std::uint32_t pid_levels = 0;
  };
  std::optional<FromStatus> status;
  std::optional<std::uint32_t> ns_user;
  std::optional<std::uint32_t> ns_pid;
  std::optional<std::uint32_t> ns_mnt;
  std::optional<std::uint32_t> ns_net;
  // Whether the label confines; false where no security module gives labels.
  std::optional<bool> label;
};

struct ThreadWrap {
  // WRAP_* bits that are proven.
  std::uint8_t mask = 0;
  // Mount or pid namespace other than the reference's.
  bool container = false;
  // Some fact is missing: an empty mask proves nothing.
  bool unknown = false;
};

// Reasons that the status file alone proves.
std::uint8_t StatusWrap(const ThreadFacts::FromStatus& status, const Reference& reference);

ThreadWrap JudgeThread(const ThreadFacts& facts, const Reference& reference);

// User and pid namespaces belong to all threads of a process: the kernel refuses clone(2) with CLONE_THREAD
// and CLONE_NEWUSER or CLONE_NEWPID, and unshare(2) and setns(2) of a user namespace in a process of several
// threads.
inline constexpr std::uint8_t kWrapOfWholeProcess = kWrapNsUser | kWrapNsPid;

}  // namespace desk
