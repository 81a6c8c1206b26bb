#include "privilege/privileges.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <vector>

#include "core/directory.h"
#include "core/fd.h"

namespace desk {
namespace {

constexpr int kMostCapabilities = 64;
constexpr int kWordBits = 32;

struct Sets {
  Capabilities effective = 0;
  Capabilities permitted = 0;
  Capabilities inheritable = 0;
};

// capget(2) has no wrapper in the C library.
int GetSets(Sets& sets) {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> words{};
  if (::syscall(SYS_capget, &header, words.data()) != 0) return errno;
  const auto whole = [](std::uint32_t low, std::uint32_t high) {
    return Capabilities{high} << kWordBits | low;
  };
  sets.effective = whole(words[0].effective, words[1].effective);
  sets.permitted = whole(words[0].permitted, words[1].permitted);
  sets.inheritable = whole(words[0].inheritable, words[1].inheritable);
  return 0;
}

int SetSets(const Sets& sets) {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> words{};
  for (int word = 0; word < _LINUX_CAPABILITY_U32S_3; ++word) {
    const auto part = [word](Capabilities all) {
      return static_cast<std::uint32_t>(all >> (word * kWordBits));
    };
    words[static_cast<std::size_t>(word)] = {.effective = part(sets.effective),
                                             .permitted = part(sets.permitted),
                                             .inheritable = part(sets.inheritable)};
  }
  return ::syscall(SYS_capset, &header, words.data()) == 0 ? 0 : errno;
}

// Without CAP_SETPCAP the bounding set stays: no_new_privs prevents regaining those capabilities.
void LimitBounding(Capabilities kept) {
  for (int capability = 0; capability < kMostCapabilities; ++capability) {
    if ((kept >> capability & 1) != 0) continue;
    if (::prctl(PR_CAPBSET_READ, capability) == 1) ::prctl(PR_CAPBSET_DROP, capability);
  }
}

int ChangeUser(uid_t uid) {
  if (::setgroups(0, nullptr) != 0) return errno;
  if (::setresgid(uid, uid, uid) != 0) return errno;
  return ::setresuid(uid, uid, uid) == 0 ? 0 : errno;
}

}  // namespace

Result<Capabilities> PermittedCapabilities() {
  Sets sets;
  if (const int error = GetSets(sets); error != 0) return Errno{error};
  return sets.permitted;
}

int LimitPrivileges(const PrivilegeLimit& limit) {
  Sets had;
  if (const int error = GetSets(had); error != 0) return error;
  const Capabilities kept = limit.kept & had.permitted;
  const Capabilities inherited = limit.over_exec ? kept : 0;
  // All stay in effect for now: changing the uid, the groups and the bounding set needs some that are not
  // kept. The inheritable set cannot grow beyond the bounding set, so it comes first.
  if (const int error =
          SetSets({.effective = had.permitted, .permitted = had.permitted, .inheritable = inherited});
      error != 0)
    return error;
  if (limit.uid) {
    // Leaving uid 0 would clear the permitted set (capabilities(7)).
    if (::prctl(PR_SET_KEEPCAPS, 1L) != 0) return errno;
    if (const int error = ChangeUser(*limit.uid); error != 0) return error;
    if (const int error =
            SetSets({.effective = had.permitted, .permitted = had.permitted, .inheritable = inherited});
        error != 0)
      return error;
  }
  LimitBounding(limit.bounding);
  if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0L, 0L, 0L) != 0) return errno;
  if (const int error = SetSets({.effective = kept, .permitted = kept, .inheritable = inherited}); error != 0)
    return error;
  for (int capability = 0; capability < kMostCapabilities; ++capability) {
    if ((inherited >> capability & 1) == 0) continue;
    if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0L, 0L) != 0) return errno;
  }
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) == 0 ? 0 : errno;
}

int LimitPrivilegesAnyUid(PrivilegeLimit limit, std::optional<uid_t> otherwise) {
  const int error = LimitPrivileges(limit);
  if (!limit.uid || (error != EPERM && error != EINVAL)) return error;
  limit.uid = otherwise;
  return LimitPrivileges(limit);
}

int CloseDescriptorsFrom(unsigned first) {
  if (::syscall(SYS_close_range, first, ~0U, 0U) == 0) return 0;
  // For kernels before 5.9, and seccomp filters that do not know the call.
  std::vector<int> open;
  const Result<bool> walked = WalkNumbers(AT_FDCWD, "/proc/self/fd", [&](std::int32_t fd, int own) {
    if (static_cast<unsigned>(fd) >= first && fd != own) open.push_back(fd);
    return true;
  });
  if (!walked) return walked.error();
  for (const int fd : open) ::close(fd);
  return 0;
}

int ForbidCoreDumps() {
  const rlimit none{};
  if (::setrlimit(RLIMIT_CORE, &none) != 0) return errno;
  const Fd filter(::open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC));
  if (!filter.valid()) return errno;
  return ::write(filter.get(), "0", 1) == 1 ? 0 : errno;
}

void ForbidTracing() { ::prctl(PR_SET_DUMPABLE, 0L); }

}  // namespace desk
