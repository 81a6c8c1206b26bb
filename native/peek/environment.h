// /proc/PID/environ (proc_pid_environ(5)): only the variables that make the dynamic loader load other code.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace desk {

// ld.so(8).
inline constexpr std::array<std::string_view, 3> kLoaderVariables{"LD_AUDIT", "LD_LIBRARY_PATH",
                                                                  "LD_PRELOAD"};
inline constexpr std::size_t kMostLoaderValue = 4096;

// Parses an environment of any length in pieces; keeps at most one value of each variable.
class LoaderEnvironment {
 public:
  // The next bytes: NAME=VALUE strings, each ended by NUL.
  void Take(std::string_view piece);
  // After the last piece, whose string may lack its NUL.
  void End() { EndString(); }

  struct Value {
    // Empty when it is not set. Of several non-empty settings the last, which glibc uses; at most
    // kMostLoaderValue bytes.
    std::string text;
    // The value is complete, and no other setting differs: musl uses the first.
    bool whole = true;
  };

  // Of kLoaderVariables[at].
  const Value& value(std::size_t at) const { return values_[at]; }

 private:
  enum class Reading { kName, kValue, kNothing };

  void Grow(std::string_view part);
  void EndString();

  std::array<Value, kLoaderVariables.size()> values_;
  Reading reading_ = Reading::kName;
  std::string name_;
  std::size_t variable_ = 0;
  Value value_;
};

}  // namespace desk
