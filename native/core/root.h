// Proc roots: `/proc` itself or a fixture folder laid out like it, opened once and known by a handle.
#pragma once

#include <fcntl.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <typeindex>

#include "core/fd.h"
#include "core/handles.h"
#include "core/result.h"
#include "core/wrap.h"

namespace desk {

// Whether processes of a root have a security label worth reading (proc_pid_attr(5)).
enum class Labels : int { kUnprobed, kNone, kPresent };

class Root : public std::enable_shared_from_this<Root> {
 public:
  Root(Fd directory, std::string path) : directory_(std::move(directory)), path_(std::move(path)) {}

  // O_PATH descriptor: the base of every openat and readlinkat below this root.
  int fd() const { return directory_.get(); }
  const std::string& path() const { return path_; }

  std::optional<Reference> reference() const {
    const std::lock_guard lock(mutex_);
    return reference_;
  }
  void set_reference(const Reference& reference) {
    const std::lock_guard lock(mutex_);
    reference_ = reference;
  }

  std::atomic<Labels> labels{Labels::kUnprobed};

  // State that a probe keeps for this root from one call to the next: a T(Root&), made at first use and
  // destroyed with the root. Every worker may use it: a T has its own mutex.
  template <class T>
  T& Memory() {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<void>& slot = memories_[typeid(T)];
    if (!slot) slot = std::make_shared<T>(*this);
    return *static_cast<T*>(slot.get());
  }

 private:
  Fd directory_;
  std::string path_;
  mutable std::mutex mutex_;
  std::optional<Reference> reference_;
  std::map<std::type_index, std::shared_ptr<void>> memories_;
};

// Opens a directory as a root; its handle (HandlesOf<Root>), or the errno of open(2).
inline Result<int> OpenRoot(const std::string& path) {
  Fd directory(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!directory.valid()) return Errno{errno};
  return HandlesOf<Root>().Open(std::make_shared<Root>(std::move(directory), path));
}

}  // namespace desk
