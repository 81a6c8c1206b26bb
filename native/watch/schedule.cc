#include "watch/schedule.h"

#include <algorithm>

namespace desk {
namespace {

// A storm repeats the same few pids; searching further back costs more than delivering one twice.
constexpr std::size_t kSearchBack = 16;

std::int64_t RoundUp(std::int64_t time_ns, std::int64_t slot_ns) {
  return (time_ns + slot_ns - 1) / slot_ns * slot_ns;
}

}  // namespace

RereadSchedule::RereadSchedule(std::span<const std::uint32_t> periods_ms) {
  for (const std::uint32_t period : periods_ms)
    periods_.push_back({.length_ns = std::int64_t{period} * 1'000'000, .waiting = {}});
}

void RereadSchedule::Add(std::int32_t subject, std::int64_t now_ns) {
  for (Period& period : periods_) {
    std::deque<Waiting>& waiting = period.waiting;
    const std::int64_t wanted_ns = now_ns + period.length_ns;
    Waiting next{.due_ns = RoundUp(wanted_ns, kSlotNs), .subject = subject};
    if (waiting.size() >= kMaxWaiting) next = {RoundUp(wanted_ns, kCrowdedSlotNs), kEverything};
    // The queue stays in order: after a coarse slot, a fine one waits with it.
    if (!waiting.empty()) next.due_ns = std::max(next.due_ns, waiting.back().due_ns);

    bool waits_already = false;
    for (std::size_t back = 1; back <= std::min(kSearchBack, waiting.size()); ++back) {
      const Waiting& other = waiting[waiting.size() - back];
      if (other.due_ns != next.due_ns) break;
      waits_already |= other.subject == next.subject || other.subject == kEverything;
    }
    if (!waits_already) waiting.push_back(next);
  }
}

void RereadSchedule::Forget(std::span<const std::int32_t> pids) {
  if (pids.empty()) return;
  for (Period& period : periods_) {
    std::erase_if(
        period.waiting, [&](const Waiting& one) { return std::ranges::binary_search(pids, one.subject); });
  }
}

std::int64_t RereadSchedule::NextDueNs() const {
  std::int64_t next = kNever;
  for (const Period& period : periods_)
    if (!period.waiting.empty()) next = std::min(next, period.waiting.front().due_ns);
  return next;
}

}  // namespace desk
