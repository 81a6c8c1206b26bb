// The kernel's type information as a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/result.h"

namespace desk::bpf {

inline constexpr char kBtfPath[] = "/sys/kernel/btf/vmlinux";

// Its bytes, usually read by one pread.
class BtfFile {
 public:
  BtfFile() = default;
  static Result<BtfFile> Read();
  std::span<const std::uint8_t> bytes() const { return {bytes_.get(), size_}; }

 private:
  // Not a vector, which would zero five megabytes first.
  std::unique_ptr<std::uint8_t[]> bytes_;
  std::size_t size_ = 0;
};

}  // namespace desk::bpf
