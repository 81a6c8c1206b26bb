// Raw bytes as text, and the traits of a process.
#include "core/utf8.h"

#include <string>

#include "core/identity.h"
#include "core/traits.h"
#include "fuzz/support/fuzz.h"

namespace desk::fuzz {

void FuzzOne(std::span<const std::uint8_t> input) {
  const std::string_view bytes = TextOf(input);
  std::string text = "before";
  AppendLossy(text, bytes);
  Ensure(text.starts_with("before") && text.size() <= 6 + 3 * bytes.size());
  // Text is text already.
  std::string again = "before";
  AppendLossy(again, std::string_view(text).substr(6));
  Ensure(again == text);

  const std::string_view comm = bytes.substr(0, 15);
  const std::string_view executable = bytes.substr(comm.size());
  const std::uint16_t traits = TraitsOf(comm, executable);
  Ensure(traits < 128);
  Ensure(((traits & kTraitKernelName) != 0) == IsKernelName(comm));
  if (executable.empty()) Ensure((traits & ~kTraitKernelName) == 0);
  Ensure(((traits & kTraitInterpreter) != 0) == (!executable.empty() && IsInterpreter(executable)));
}

}  // namespace desk::fuzz
