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
inline constexpr std::uint32_t kProgramCgroupSock = 9;
inline constexpr std::uint32_t kProgramRawTracepoint = 17;
inline constexpr std::uint32_t kProgramCgroupSockAddr = 18;
inline constexpr std::uint32_t kProgramTracing = 26;
inline constexpr std::uint32_t kProgramSyscall = 31;
inline constexpr std::uint32_t kAttachConnect4 = 10;
inline constexpr std::uint32_t kAttachConnect6 = 11;
inline constexpr std::uint32_t kAttachPostBind4 = 12;
inline constexpr std::uint32_t kAttachPostBind6 = 13;
inline constexpr std::uint32_t kAttachFunctionExit = 25;
inline constexpr std::uint32_t kAttachTraceIterator = 28;
inline constexpr std::uint32_t kAttachSockRelease = 34;

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
  // BPF_F_*.
  std::uint32_t flags = 0;
};
// BPF_F_SLEEPABLE, which programs of type SYSCALL require.
inline constexpr std::uint32_t kProgramSleepable = 1u << 4;

// Loads a program under the licence GPL, which the helpers used here require. When the kernel refuses and
// `log` is given, the program is loaded once more to get the verifier's log.
Result<Fd> LoadProgram(const ProgramRequest& request, std::string* log = nullptr);

// Numbers of enum bpf_map_type. A ring buffer has room for `entries` bytes, a power of two and whole pages.
// When a map of type LRU_HASH is full, an entry that was not used for long is evicted.
inline constexpr std::uint32_t kMapArray = 2;
inline constexpr std::uint32_t kMapLruHash = 9;
inline constexpr std::uint32_t kMapRingBuffer = 27;
Result<Fd> CreateMap(std::uint32_t type, std::uint32_t key_bytes, std::uint32_t value_bytes,
                     std::uint32_t entries, const char* name, std::uint32_t flags = 0);
// BPF_F_MMAPABLE: the values of an array can be mapped.
inline constexpr std::uint32_t kMapMappable = 1u << 10;

// Copies the value of `key` to `value`; ENOENT when there is none.
int LookUp(int map, const void* key, void* value);

// Attaches a program of type TRACING (an iterator, without a target), or one of a cgroup beside those of
// others (`target` is its folder; EPERM where another program insists on being alone). It is detached when
// the descriptor closes.
Result<Fd> CreateLink(int program, std::uint32_t attach_type, int target = 0);
// A descriptor whose reads run the linked iterator program once over everything; each run needs a new
// descriptor.
Result<Fd> CreateIterator(int link);
// Runs a program of type SYSCALL once, without a context (BPF_PROG_TEST_RUN); an errno, 0 = it ran.
int RunProgram(int program);
// Attaches a program of type RAW_TRACEPOINT to a tracepoint; it is detached when the descriptor closes.
Result<Fd> OpenRawTracepoint(int program, const char* tracepoint);

}  // namespace desk::bpf
