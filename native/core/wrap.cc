#include "core/wrap.h"

namespace desk {

namespace {

// Has every capability that an unconfined process of this machine could have.
bool IsAllPowerful(const ThreadFacts::FromStatus& status, const Reference& reference) {
  const std::uint64_t all = reference.cap_bnd_known ? reference.cap_bnd : 0;
  return status.cap_eff != 0 && (status.cap_eff & all) == all;
}

}  // namespace

std::uint8_t StatusWrap(const ThreadFacts::FromStatus& status, const Reference& reference) {
  std::uint8_t mask = 0;
  // From outside it is not visible whether a filter allows everything.
  if (status.seccomp != 0 && !IsAllPowerful(status, reference)) mask |= kWrapSeccomp;
  if (status.pid_levels > 1) mask |= kWrapNsPid;
  const bool smaller = reference.cap_bnd_known && status.cap_bnd != reference.cap_bnd &&
                       (status.cap_bnd & ~reference.cap_bnd) == 0;
  if (status.no_new_privs && smaller) mask |= kWrapBounded;
  return mask;
}

ThreadWrap JudgeThread(const ThreadFacts& facts, const Reference& reference) {
  ThreadWrap wrap;
  if (facts.status)
    wrap.mask = StatusWrap(*facts.status, reference);
  else
    wrap.unknown = true;
  const auto compare = [&wrap](std::optional<std::uint32_t> number, std::uint32_t initial, Wrap reason) {
    if (!number || initial == 0)
      wrap.unknown = true;
    else if (*number != initial)
      wrap.mask |= reason;
  };
  compare(facts.ns_user, reference.ns_user, kWrapNsUser);
  compare(facts.ns_pid, reference.ns_pid, kWrapNsPid);
  compare(facts.ns_mnt, reference.ns_mnt, kWrapNsMnt);
  compare(facts.ns_net, reference.ns_net, kWrapNsNet);
  if (!facts.label)
    wrap.unknown = true;
  else if (*facts.label)
    wrap.mask |= kWrapLabel;
  wrap.container = (wrap.mask & (kWrapNsMnt | kWrapNsPid)) != 0;
  if ((wrap.mask & kWrapNsUser) != 0) {
    // Its capabilities apply only in its own user namespace.
    if (facts.status && facts.status->seccomp != 0) wrap.mask |= kWrapSeccomp;
  } else if (!facts.status || IsAllPowerful(*facts.status, reference)) {
    // A process that may mount and enter namespaces is not confined by its mount namespace.
    wrap.mask &= ~kWrapNsMnt;
  }
  return wrap;
}

}  // namespace desk
