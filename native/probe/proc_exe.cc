#include "probe/proc_exe.h"

#include "core/read.h"

namespace desk {

Result<std::string_view> ReadExecutable(int root, const char* path) { return ReadLink(root, path); }

}  // namespace desk
