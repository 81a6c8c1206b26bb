// The judgement of one thread, over any facts and any reference.
#include "core/wrap.h"

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {
namespace {

std::optional<std::uint32_t> Number(Taker& taker, bool known) {
  // Few numbers, so that equal ones are met.
  const std::uint32_t number = taker.Take<std::uint8_t>() & 3;
  return known ? std::optional(number) : std::nullopt;
}

bool Within(std::uint8_t part, std::uint8_t whole) { return (part & ~whole) == 0; }

}  // namespace

void FuzzOne(std::span<const std::uint8_t> input) {
  Taker taker(input);
  const auto known = taker.Take<std::uint8_t>();
  Reference reference;
  reference.ns_user = taker.Take<std::uint8_t>() & 3;
  reference.ns_pid = taker.Take<std::uint8_t>() & 3;
  reference.ns_mnt = taker.Take<std::uint8_t>() & 3;
  reference.ns_net = taker.Take<std::uint8_t>() & 3;
  reference.cap_bnd = taker.Take<std::uint64_t>();
  reference.cap_bnd_known = (known & 128) != 0;
  ThreadFacts facts;
  if ((known & 1) != 0) {
    const auto bits = taker.Take<std::uint8_t>();
    facts.status = ThreadFacts::FromStatus{.seccomp = static_cast<std::uint8_t>(bits & 3),
                                           .no_new_privs = (bits & 4) != 0,
                                           .cap_eff = taker.Take<std::uint64_t>(),
                                           .cap_bnd = taker.Take<std::uint64_t>(),
                                           .pid_levels = static_cast<std::uint32_t>(bits >> 4)};
  }
  facts.ns_user = Number(taker, (known & 2) != 0);
  facts.ns_pid = Number(taker, (known & 4) != 0);
  facts.ns_mnt = Number(taker, (known & 8) != 0);
  facts.ns_net = Number(taker, (known & 16) != 0);
  if ((known & 32) != 0) facts.label = (known & 64) != 0;

  const ThreadWrap wrap = JudgeThread(facts, reference);
  const bool complete = facts.status && facts.ns_user && facts.ns_pid && facts.ns_mnt && facts.ns_net &&
                        facts.label && reference.ns_user != 0 && reference.ns_pid != 0 &&
                        reference.ns_mnt != 0 && reference.ns_net != 0;
  Ensure(wrap.unknown == !complete);
  if (facts.status) Ensure(Within(StatusWrap(*facts.status, reference), wrap.mask));
  Ensure(((wrap.mask & kWrapLabel) != 0) == facts.label.value_or(false));

  // A fact less proves less, and leaves the thread unknown.
  const auto without = [&](auto forget, std::uint8_t reasons) {
    ThreadFacts fewer = facts;
    forget(fewer);
    const ThreadWrap judged = JudgeThread(fewer, reference);
    Ensure(judged.unknown && Within(judged.mask, wrap.mask));
    Ensure(Within(static_cast<std::uint8_t>(wrap.mask & ~judged.mask), reasons));
  };
  without([](ThreadFacts& f) { f.status.reset(); }, kWrapSeccomp | kWrapNsPid | kWrapNsMnt | kWrapBounded);
  without([](ThreadFacts& f) { f.ns_user.reset(); }, kWrapNsUser | kWrapSeccomp | kWrapNsMnt);
  without([](ThreadFacts& f) { f.ns_pid.reset(); }, kWrapNsPid);
  without([](ThreadFacts& f) { f.ns_mnt.reset(); }, kWrapNsMnt);
  without([](ThreadFacts& f) { f.ns_net.reset(); }, kWrapNsNet);
  without([](ThreadFacts& f) { f.label.reset(); }, kWrapLabel);
}

}  // namespace desk::fuzz
