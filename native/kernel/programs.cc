#include "kernel/programs.h"

#include <map>
#include <utility>

namespace desk::kernel {
namespace {

struct ProgramRegistry {
  std::mutex mutex;
  std::map<int, std::shared_ptr<Compiled>> programs;
  int next = 1;
};

// Never destroyed: worker threads may still run a program while the process ends.
ProgramRegistry& TheRegistry() {
  static auto* const registry = new ProgramRegistry;
  return *registry;
}

}  // namespace

std::unique_ptr<Scratch> Compiled::TakeScratch() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return std::make_unique<Scratch>();
  std::unique_ptr<Scratch> scratch = std::move(idle_.back());
  idle_.pop_back();
  return scratch;
}

void Compiled::GiveBack(std::unique_ptr<Scratch> scratch) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(scratch));
}

int Compile(const ProgramSource& source) {
  auto compiled = std::make_shared<Compiled>(source);
  ProgramRegistry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  const int handle = registry.next++;
  registry.programs.emplace(handle, std::move(compiled));
  return handle;
}

bool Free(int handle) {
  ProgramRegistry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  return registry.programs.erase(handle) > 0;
}

std::shared_ptr<Compiled> FindProgram(int handle) {
  ProgramRegistry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  const auto found = registry.programs.find(handle);
  return found == registry.programs.end() ? nullptr : found->second;
}

}  // namespace desk::kernel
