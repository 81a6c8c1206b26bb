// Resolves the members that a program reads, and records the first one that the kernel does not have.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bpf/btf.h"

namespace desk::bpf {

class TypeWalk {
 public:
  explicit TypeWalk(const Btf& btf) : btf_(btf) {}

  // The type of that kind and name; 0 when it is missing, which is recorded.
  std::uint32_t Type(Kind kind, std::string_view name) {
    const Result<std::uint32_t> id = btf_.Find(kind, name);
    if (!id) Miss(name, id.error());
    return id ? *id : 0;
  }
  // A required member: an empty access when it is missing, which is recorded.
  Access Need(std::uint32_t type, std::string_view path) {
    if (error_ != 0) return {};
    Result<Access> access = btf_.Resolve(type, path);
    if (!access) {
      Miss(path, access.error());
      return {};
    }
    return std::move(access.value());
  }
  // A member that depends on the kernel's version or configuration.
  std::optional<Access> Find(std::uint32_t type, std::string_view path) const {
    Result<Access> access = btf_.Resolve(type, path);
    if (!access) return std::nullopt;
    return std::move(access.value());
  }

  int error() const { return error_; }
  const std::string& missing() const { return missing_; }

 private:
  void Miss(std::string_view what, int error) {
    if (error_ != 0) return;
    error_ = error;
    missing_ = std::string(what);
  }

  const Btf& btf_;
  int error_ = 0;
  std::string missing_;
};

}  // namespace desk::bpf
