// A value, or the errno with which the kernel refused it. Refusals are ordinary values here: nothing throws.
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

 private:
  T value_{};
  int error_ = 0;
};

// The process or thread is no more (proc(5): reads of a vanished process give ESRCH).
constexpr bool IsGone(int error) { return error == ENOENT || error == ESRCH; }
// The kernel refused for lack of privilege.
constexpr bool IsRefused(int error) { return error == EACCES || error == EPERM; }

}  // namespace desk
