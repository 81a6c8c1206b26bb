// Identity texts: executable, name, uid and container flag, as bytes that a process chose.
#include "core/identity.h"

#include <string>

#include "core/siphash.h"
#include "fuzz/support/fuzz.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  Taker taker(input);
  const auto flags = taker.Take<std::uint8_t>();
  const auto uid = taker.Take<std::uint32_t>();
  const std::string_view comm = TextOf(taker.TakeBytes(16));
  const std::string_view executable = TextOf(taker.rest());
  IdentityFacts facts{.executable = executable, .comm = comm, .uid = {}, .container = (flags & 2) != 0};
  if ((flags & 1) != 0) facts.uid = uid;

  std::string identity = "left from before";
  BuildIdentity(facts, identity);
  const std::string container = facts.container ? "@container" : "";
  std::string expected;
  if (executable.empty()) {
    expected = std::string(comm) + "?" + (facts.uid ? std::to_string(uid) : "-") + container;
  } else {
    expected = std::string(executable) + container;
    if (IsInterpreter(executable)) expected += ":" + std::string(comm);
  }
  Ensure(identity == expected);
  // A deleted interpreter counts as an interpreter; the folder does not matter.
  const std::string deleted = std::string(executable) + " (deleted)";
  if (!executable.ends_with(" (deleted)")) Ensure(IsInterpreter(deleted) == IsInterpreter(executable));
  Ensure(IsInterpreter("/x/" + std::string(executable)) == IsInterpreter(executable));
  Ensure(HashIdentity(identity) != 0);
}

}  // namespace desk::fuzz
