// Paths below a proc root.
#include <cstdio>
#include <string>

#include "core/path.h"
#include "fuzz/support/fuzz.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  Taker taker(input);
  const auto pid = taker.Take<std::int32_t>();
  const auto tid = taker.Take<std::int32_t>();
  const std::string folder = std::to_string(pid);
  ProcPath process(pid);
  ProcPath thread(pid, tid);
  while (!taker.rest().empty()) {
    const std::string_view name = TextOf(taker.TakeBytes(24));
    if (name.find('\0') != std::string_view::npos) continue;
    Ensure(process.File(name) == folder + "/" + std::string(name));
    Ensure(thread.File(name) == folder + "/task/" + std::to_string(tid) + "/" + std::string(name));
  }
  // A name that is too long is cut off, and never leaves the buffer.
  const std::string_view whole = TextOf(input);
  Ensure(std::string_view(thread.File(whole)).size() < 64);
}

}  // namespace desk::fuzz
