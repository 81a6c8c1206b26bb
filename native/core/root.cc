#include "core/root.h"

#include <fcntl.h>

namespace desk {

Result<int> OpenRoot(const std::string& path) {
  Fd directory(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!directory.valid()) return Errno{errno};
  return HandlesOf<Root>().Open(std::make_shared<Root>(std::move(directory), path));
}

}  // namespace desk
