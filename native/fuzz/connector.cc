// Datagrams of the proc connector, and the count of the events of each CPU.
#include <tuple>
#include <vector>

#include "fuzz/support/fuzz.h"
#include "watch/connector_decode.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  const auto bytes = std::as_bytes(input);
  std::vector<ProcEvent> events(1);
  events[0].pid = 4711;
  const bool whole = DecodeProcEvents(bytes, events);
  Ensure(events[0].pid == 4711);
  Ensure(events.size() - 1 <= bytes.size() / 36);  // nlmsghdr and cn_msg

  // What follows keeps the events decoded so far.
  std::vector<std::byte> longer(bytes.begin(), bytes.end());
  longer.insert(longer.end(), 60, std::byte{0xa5});
  std::vector<ProcEvent> more;
  std::ignore = DecodeProcEvents(longer, more);
  Ensure(!whole || more.size() >= events.size() - 1);
  for (std::size_t i = 1; i < events.size() && i <= more.size(); ++i) Ensure(events[i] == more[i - 1]);

  Taker taker(input);
  SequenceCheck check;
  while (!taker.rest().empty()) {
    const auto cpu = taker.Take<std::uint32_t>();
    const auto sequence = taker.Take<std::uint32_t>();
    const std::uint32_t lost = taker.Take<std::uint8_t>();
    std::ignore = check.Missed(cpu, sequence);
    Ensure(check.Missed(cpu, sequence + 1) == 0);
    const std::uint32_t missed = check.Missed(cpu, sequence + 2 + lost);
    // Numbers that are no CPU's are not counted.
    Ensure(missed == lost || (missed == 0 && cpu > 4096));
  }
}

}  // namespace desk::fuzz
