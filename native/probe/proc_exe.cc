#include "probe/proc_exe.h"

#include "core/path.h"
#include "core/read.h"

namespace desk {

Result<std::string_view> ReadExecutable(int root, std::int32_t pid) {
  return ReadLink(root, ProcPath(pid).File("exe"));
}

}  // namespace desk
