// Objects of this process that JavaScript refers to by a small number. Thread-safe.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace desk {

template <class T>
class Handles {
 public:
  int Open(std::shared_ptr<T> object) {
    const std::lock_guard lock(mutex_);
    const int handle = next_++;
    objects_.emplace(handle, std::move(object));
    return handle;
  }

  // Null when there is no such handle.
  std::shared_ptr<T> Find(int handle) {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }

  // The object, null when there is no such handle. A call in progress keeps its object alive until it ends.
  std::shared_ptr<T> Close(int handle) {
    const std::lock_guard lock(mutex_);
    auto node = objects_.extract(handle);
    return node.empty() ? nullptr : std::move(node.mapped());
  }

 private:
  std::mutex mutex_;
  std::map<int, std::shared_ptr<T>> objects_;
  int next_ = 1;
};

// The handles of this process for this type. Never destroyed: other threads may use them while the process
// ends.
template <class T>
Handles<T>& HandlesOf() {
  static auto* const handles = new Handles<T>;
  return *handles;
}

}  // namespace desk
