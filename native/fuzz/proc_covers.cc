// Lines of /proc/PID/mountinfo: what is mounted over processes.
#include "probe/proc_covers.h"

#include <cerrno>
#include <string>

#include "fuzz/support/fuzz.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  Taker taker(input);
  const std::uint64_t id = taker.Take<std::uint8_t>();
  const std::string_view text = TextOf(taker.rest());
  const auto covers = ParseCovers(text, id);
  // Lines of other mounts change nothing.
  const std::string other = "1000 999 0:21 / /elsewhere/7 rw - proc proc rw\n";
  const auto among = ParseCovers(other + std::string(text), id);
  Ensure(among.error() == covers.error());
  if (!covers) return Ensure(covers.error() == ENOENT);
  Ensure(covers->size() <= kMostCovers && among->size() == covers->size());
  for (const ProcCover& cover : *covers) {
    Ensure(cover.pid > 0 && cover.place.find('\n') == std::string::npos);
    Ensure(text.find(std::to_string(cover.pid)) != std::string_view::npos);
  }
}

}  // namespace desk::fuzz
