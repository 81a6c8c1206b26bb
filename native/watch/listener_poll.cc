#include "watch/listener_poll.h"

namespace desk {
namespace {

constexpr std::int64_t kDumpEveryNs = 100'000'000;

}  // namespace

ListenerPoll::Change ListenerPoll::Poll(std::int64_t now_ns) {
  Change change;
  // Counted before the dump: changes in between are counted next time.
  const bool same = SameNumber();
  if (known_ && same && now_ns - dumped_ns_ < kDumpEveryNs) return change;
  dumped_ns_ = now_ns;
  Dump(change);
  return change;
}

// Compares the polled protocols. Unreadable numbers never count as the same.
bool ListenerPoll::SameNumber() {
  const Result<Sockstat::Counts> now = counts_.Read();
  const std::optional<Sockstat::Counts> before = counted_;
  counted_ = now ? std::optional(*now) : std::nullopt;
  if (!before || !counted_) return false;
  const bool tcp = before->v4.tcp == now->v4.tcp && before->v6.tcp == now->v6.tcp;
  const bool udp = before->v4.udp == now->v4.udp && before->v6.udp == now->v6.udp;
  return (!listeners_.tcp() || tcp) && (!listeners_.udp() || udp);
}

void ListenerPoll::Dump(Change& change) {
  const auto [sum, refusals] = listeners_.Dump();
  change.refusals = refusals;
  change.changed = known_ && sum != last_;
  if (refusals == 0) change.sum = sum;
  last_ = sum;
  known_ = true;
}

}  // namespace desk
