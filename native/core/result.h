// A value, or the errno with which the kernel refused it. Refusals are ordinary values: nothing throws.
#pragma once

#include <cerrno>
#include <utility>

namespace desk {

struct Errno {
  int code;
};

template <class T>
class [[nodiscard]] Result {
 public:
  // Implicit on purpose: a function returns its value or its refusal as it is.
  Result(T value) : value_(std::move(value)) {}    // NOLINT(google-explicit-constructor)
  Result(Errno refusal) : error_(refusal.code) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return error_ == 0; }
  explicit operator bool() const { return ok(); }
  // 0 when there is a value.
  int error() const { return error_; }
  Errno refusal() const { return Errno{error_}; }
  const T& value() const { return value_; }
  T& value() { return value_; }
  const T& operator*() const { return value_; }
  T& operator*() { return value_; }
  const T* operator->() const { return &value_; }

  // next(value), which is a Result too, or this refusal (and_then of std::expected).
  template <class Next>
  auto AndThen(Next&& next) const -> decltype(next(std::declval<const T&>())) {
    if (!ok()) return refusal();
    return next(value_);
  }

 private:
  T value_{};
  int error_ = 0;
};

// The process or thread has ended (proc(5): reads of a vanished process give ESRCH).
constexpr bool IsGone(int error) { return error == ENOENT || error == ESRCH; }
// The kernel refused for lack of privilege.
constexpr bool IsRefused(int error) { return error == EACCES || error == EPERM; }

}  // namespace desk
