#include "core/root.h"

#include <fcntl.h>

#include <map>

namespace desk {
namespace {

struct RootRegistry {
  std::mutex mutex;
  std::map<int, std::shared_ptr<Root>> roots;
  int next = 1;
};

// Never destroyed: worker threads may still look a root up while the process ends.
RootRegistry& TheRegistry() {
  static auto* const registry = new RootRegistry;
  return *registry;
}

}  // namespace

Result<int> OpenRoot(const std::string& path) {
  Fd directory(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!directory.valid()) return Errno{errno};
  auto root = std::make_shared<Root>(std::move(directory), path);
  RootRegistry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  const int handle = registry.next++;
  registry.roots.emplace(handle, std::move(root));
  return handle;
}

bool CloseRoot(int handle) {
  RootRegistry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  return registry.roots.erase(handle) > 0;
}

std::shared_ptr<Root> FindRoot(int handle) {
  RootRegistry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  const auto found = registry.roots.find(handle);
  return found == registry.roots.end() ? nullptr : found->second;
}

}  // namespace desk
