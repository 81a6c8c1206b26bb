// A loaded iterator program and its link (Documentation/bpf/bpf_iterators.rst): each read runs it over all
// objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "bpf/syscall.h"
#include "core/fd.h"
#include "core/result.h"

namespace desk::bpf {

// A buffer that grows without being zeroed.
class ReadBuffer {
 public:
  // At least `room` free bytes behind `filled`.
  std::span<std::byte> Room(std::size_t filled, std::size_t room);
  const std::byte* data() const { return bytes_.get(); }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_ = 0;
};

class Iterator {
 public:
  Iterator() = default;

  // The steps of loading, which fail for different reasons.
  enum class Step { kProgram, kLink, kDone };

  // Loads and links a program of type TRACING for BPF_TRACE_ITER. `step` is where it failed, `log` the
  // verifier's log.
  static Result<Iterator> Load(std::span<const bpf_insn> instructions, std::uint32_t attach_btf_id,
                               const char* name, Step& step, std::string& log);

  // Everything that one run of the program writes; the bytes lie in `buffer` until it is used again. Threads
  // may read at the same time into buffers of their own.
  Result<std::span<const std::byte>> Read(ReadBuffer& buffer) const;

 private:
  Fd program_;
  Fd link_;
};

}  // namespace desk::bpf
