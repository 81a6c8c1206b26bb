#include "act/accountable.h"

#include <fcntl.h>

#include <string_view>

#include "bpf/task_facts.h"
#include "core/read.h"
#include "core/text.h"

namespace desk {
namespace {

// DEFAULT_OVERFLOWUID of linux/highuid.h, where /proc/sys/kernel/overflowuid cannot be read.
constexpr std::uint32_t kOverflowUid = 65534;
constexpr std::uint32_t kAllUids = 4294967295;

bool SameExecutable(const std::optional<FileKey>& file, const bpf::ListenerMaker& maker) {
  if (!file || maker.executable == 0) return false;
  // MKDEV of linux/kdev_t.h.
  constexpr int kMinorBits = 20;
  return file->inode == maker.executable && file->major == maker.executable_device >> kMinorBits &&
         file->minor == (maker.executable_device & ((1u << kMinorBits) - 1));
}

// `         0          0 4294967295`, user_namespaces(7).
bool MapsAllUids() {
  const Result<std::string_view> text = ReadFile(AT_FDCWD, "/proc/self/uid_map");
  // No user namespaces: uids are unique.
  if (!text) return text.error() == ENOENT;
  std::string_view rest = *text;
  std::string_view line = TrimBlanks(TakeUntil(rest, '\n'));
  std::string_view fields[3];
  for (std::string_view& field : fields) {
    field = TakeUntil(line, ' ');
    line = TrimBlanks(line);
  }
  return fields[0] == "0" && ParseNumber<std::uint32_t>(fields[2]) == kAllUids;
}

}  // namespace

Standing StandingOf(const HolderFacts& holder, std::optional<std::uint32_t> creator_uid,
                    const std::optional<bpf::ListenerMaker>& maker) {
  if (!creator_uid) return Standing::kOther;
  const bool all_creators =
      holder.uid == *creator_uid && holder.euid == *creator_uid && holder.suid == *creator_uid;
  if (!maker) return all_creators ? Standing::kCreatorUid : Standing::kOther;
  // The caller of listen() did not make a socket that another user created.
  if (maker->uid != *creator_uid && maker->euid != *creator_uid) return Standing::kOther;
  const bool same_executable = SameExecutable(holder.executable, *maker);
  if (holder.pid == static_cast<std::int32_t>(maker->pid) && holder.start == bpf::TicksOf(maker->start_ns)) {
    // With the same program, only the process itself can have changed its user ids. A new program may be
    // set-user-ID, and no longer belongs to the creator.
    return same_executable || all_creators ? Standing::kMaker : Standing::kOther;
  }
  const bool same_user = holder.uid == maker->uid && holder.euid == maker->euid && holder.suid == maker->euid;
  return same_user && same_executable ? Standing::kSharesMaker : Standing::kOther;
}

std::optional<std::uint32_t> KnownUid(std::uint32_t uid) {
  const Result<std::string_view> text = ReadFile(AT_FDCWD, "/proc/sys/kernel/overflowuid");
  std::string_view rest = text ? *text : std::string_view();
  const auto overflow = ParseNumber<std::uint32_t>(TakeUntil(rest, '\n'));
  if (uid != overflow.value_or(kOverflowUid) || MapsAllUids()) return uid;
  return std::nullopt;
}

}  // namespace desk
