#include "probe/kernel_taint.h"

#include "core/read.h"
#include "core/text.h"

namespace desk {

Result<std::uint64_t> ReadKernelTaint(int root) {
  return ReadFile(root, "sys/kernel/tainted").AndThen(ParseValue<std::uint64_t>);
}

}  // namespace desk
