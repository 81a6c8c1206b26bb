// A process, held by a pidfd and by its proc folder, opened while that process was alive. Both refer to this
// process only: when it has ended they report ESRCH, even if its pid was reused. Signals are sent through the
// pidfd only, and only after identity, descriptor, socket and the socket's maker are checked again:
// pidfd_open(2), pidfd_send_signal(2), proc_pid_fd(5), sock_diag(7).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "act/accountable.h"
#include "act/listening_socket.h"
#include "core/fd.h"
#include "core/result.h"

namespace desk {

// How a process is related to ours.
enum class Kin : std::uint8_t { kNone, kSelf, kAncestor, kDescendant };

// What must not change between the plan and the signal.
struct ProcessIdentity {
  // Clock ticks after boot.
  std::uint64_t start = 0;
  std::uint32_t uid = 0;
  std::uint32_t euid = 0;
  std::uint32_t suid = 0;
  // Raw bytes of the link.
  std::string executable;
  std::uint32_t ns_user = 0;
  std::uint32_t ns_pid = 0;
  std::uint32_t ns_mnt = 0;
  std::uint32_t ns_net = 0;

  bool operator==(const ProcessIdentity&) const = default;
};

// The outcome of a signal. Except for kSent, none was sent.
enum class Sent : std::uint8_t {
  kSent,
  kExited,        // the process has ended
  kChanged,       // its identity is not the one it was held with
  kNotHolding,    // it no longer holds the socket
  kNotListening,  // the socket no longer listens on that port
  kNotMaker,      // it holds the socket, but nothing shows that it made it
  kForbidden,     // a protected process
  kRefused,       // the kernel refused the checks or the signal
};

struct SignalResult {
  Sent sent = Sent::kRefused;
  // errno of kRefused.
  int error = 0;
};

class HeldProcess {
 public:
  // ESRCH when there is no such process, EINVAL or ENOENT for a thread, EXDEV when /proc shows other pids
  // than ours or something is mounted over its folder; otherwise the errno of the part of its identity that
  // could not be read.
  static Result<std::shared_ptr<HeldProcess>> Hold(std::int32_t pid);

  HeldProcess() = default;

  std::int32_t pid() const { return pid_; }
  std::int32_t parent() const { return parent_; }
  bool kernel_thread() const { return kernel_thread_; }
  // In our own pid namespace, not in one below it.
  bool our_pid_namespace() const { return our_pid_namespace_; }
  Kin kin() const { return kin_; }
  const ProcessIdentity& identity() const { return identity_; }

  // The last thread has ended (a pidfd becomes readable then).
  bool HasExited() const;
  // Whether one of its descriptors, or of a thread with a table of its own, is the socket now.
  Result<bool> HoldsSocket(std::uint32_t inode) const;
  // Whether it is accountable for the socket, created by `creator_uid` (sock_diag(7)).
  Standing StandingTowards(std::uint32_t inode, std::uint32_t creator_uid) const;
  // SIGTERM or SIGKILL, nothing else (EINVAL). Identity first, then descriptor, socket and maker, signal
  // last.
  SignalResult Signal(int signal, const ListeningSocket& socket) const;

 private:
  // pid 1, kthreadd, kernel threads, our own relatives and other pid namespaces are never signalled.
  bool Forbidden() const;
  Result<ProcessIdentity> ReadIdentity() const;

  Fd pidfd_;
  Fd folder_;
  std::int32_t pid_ = 0;
  std::int32_t parent_ = 0;
  bool kernel_thread_ = false;
  bool our_pid_namespace_ = false;
  Kin kin_ = Kin::kNone;
  ProcessIdentity identity_;
};

}  // namespace desk
