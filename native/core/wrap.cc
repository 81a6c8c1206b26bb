#include "core/wrap.h"

namespace desk {

std::uint8_t StatusWrap(const ThreadFacts::FromStatus& status, const Reference& reference) {
  std::uint8_t mask = 0;
  if (status.seccomp != 0) mask |= kWrapSeccomp;
  if (status.pid_levels > 1) mask |= kWrapNsPid;
  const bool smaller = reference.cap_bnd_known && status.cap_bnd != reference.cap_bnd &&
                       (status.cap_bnd & ~reference.cap_bnd) == 0;
  if (status.no_new_privs && smaller) mask |= kWrapBounded;
  return mask;
}

ThreadWrap JudgeThread(const ThreadFacts& facts, const Reference& reference) {
  ThreadWrap wrap;
  if (facts.status) {
    wrap.mask = StatusWrap(*facts.status, reference);
  } else {
    wrap.unknown = true;
  }
  const auto compare = [&wrap](std::optional<std::uint32_t> number, std::uint32_t initial, Wrap reason) {
    if (!number || initial == 0) {
      wrap.unknown = true;
    } else if (*number != initial) {
      wrap.mask |= reason;
    }
  };
  compare(facts.ns_user, reference.ns_user, kWrapNsUser);
  compare(facts.ns_pid, reference.ns_pid, kWrapNsPid);
  compare(facts.ns_mnt, reference.ns_mnt, kWrapNsMnt);
  compare(facts.ns_net, reference.ns_net, kWrapNsNet);
  if (!facts.label) {
    wrap.unknown = true;
  } else if (*facts.label) {
    wrap.mask |= kWrapLabel;
  }
  return wrap;
}

}  // namespace desk
