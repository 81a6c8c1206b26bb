#include "probe/kernel_taint.h"

#include "core/read.h"
#include "core/text.h"

namespace desk {

Result<std::uint64_t> ReadKernelTaint(int root) {
  const Result<std::string_view> text = ReadFile(root, "sys/kernel/tainted");
  if (!text) return text.refusal();
  std::string_view rest = *text;
  const auto bits = ParseNumber<std::uint64_t>(TrimBlanks(TakeUntil(rest, '\n')));
  if (!bits) return Errno{EBADMSG};
  return *bits;
}

}  // namespace desk
