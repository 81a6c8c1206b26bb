// Whether a process that holds a listening socket is accountable for it. Holding one proves nothing: a
// descriptor may be inherited, passed (SCM_RIGHTS, unix(7)) or taken (pidfd_getfd(2)) without any action of
// the holder. The known facts about the maker decide; an unreadable fact never makes a process accountable.
#pragma once

#include <cstdint>
#include <optional>

#include "bpf/maker_table.h"
#include "probe/locks.h"

namespace desk {

enum class Standing : std::uint8_t {
  kMaker,        // it made the socket a listener
  kSharesMaker,  // it has the user ids and the executable of the process that did
  kCreatorUid,   // the maker is unknown: all its user ids are the uid that created the socket
  kOther,        // no evidence that it made the socket: it is never signalled
};

// The current state of a holder.
struct HolderFacts {
  std::int32_t pid = 0;
  std::uint64_t start = 0;  // clock ticks after boot
  std::uint32_t uid = 0;
  std::uint32_t euid = 0;
  std::uint32_t suid = 0;
  // As the kernel names the file; empty when unknown.
  std::optional<FileKey> executable;
};

// `creator_uid` is the uid that sock_diag(7) reports for the socket; empty when that number may mean several
// users. `maker` is the record of the BPF program, nothing when there is none.
Standing StandingOf(const HolderFacts& holder, std::optional<std::uint32_t> creator_uid,
                    const std::optional<bpf::ListenerMaker>& maker);

// The uid as evidence: in a user namespace that does not map every uid, all unmapped ones appear as the
// overflow uid (user_namespaces(7)), and that number proves nothing.
std::optional<std::uint32_t> KnownUid(std::uint32_t uid);

}  // namespace desk
