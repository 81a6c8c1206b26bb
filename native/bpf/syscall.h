// bpf(2): programs, maps, links and iterators by plain system calls, no library.
#pragma once

#include <linux/bpf.h>

#include <cstdint>
#include <span>
#include <string>

#include "core/fd.h"
#include "core/result.h"

namespace desk::bpf {

// Numbers of enum bpf_prog_type and bpf_attach_type (linux/bpf.h), which older headers lack.
inline constexpr std::uint32_t kProgramRawTracepoint = 17;
inline constexpr std::uint32_t kProgramTracing = 26;
inline constexpr std::uint32_t kAttachFunctionExit = 25;
inline constexpr std::uint32_t kAttachTraceIterator = 28;

// Longest object name, BPF_OBJ_NAME_LEN without its end.
inline constexpr std::size_t kMostNameBytes = 15;

struct ProgramRequest {
  std::uint32_t type = kProgramTracing;
  // 0 for types that are set at attach time.
  std::uint32_t attach_type = 0;
  // BTF id of the kernel function the program attaches to, 0 = none.
  std::uint32_t attach_btf_id = 0;
  const char* name = "";
  std::span<const bpf_insn> instructions;
};

// Loads a program under the licence GPL, which the helpers used here require. When the kernel refuses and
// `log` is given, the program is loaded once more to get the verifier's log.
Result<Fd> LoadProgram(const ProgramRequest& request, std::string* log = nullptr);

// Numbers of enum bpf_map_type. A ring buffer has room for `entries` bytes, a power of two and whole pages.
// When a map of type LRU_HASH is full, an entry that was not used for long is evicted.
inline constexpr std::uint32_t kMapLruHash = 9;
inline constexpr std::uint32_t kMapRingBuffer = 27;
Result<Fd> CreateMap(std::uint32_t type, std::uint32_t key_bytes, std::uint32_t value_bytes,
                     std::uint32_t entries, const char* name);

// Copies the value of `key` to `value`; ENOENT when there is none.
int LookUp(int map, const void* key, void* value);

// Attaches a program of type TRACING (BPF_LINK_CREATE without a target: iterators).
Result<Fd> CreateLink(int program, std::uint32_t attach_type);
// A descriptor whose reads run the linked iterator program once over everything; each run needs a new
// descriptor.
Result<Fd> CreateIterator(int link);
// Attaches a program of type RAW_TRACEPOINT to a tracepoint; it is detached when the descriptor closes.
Result<Fd> OpenRawTracepoint(int program, const char* tracepoint);

}  // namespace desk::bpf
