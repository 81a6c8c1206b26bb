#include "bpf/syscall.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>

namespace desk::bpf {
namespace {

// Commands of bpf(2), enum bpf_cmd.
enum Command : int {
  kMapCreate = 0,
  kMapLookUp = 1,
  kProgramLoad = 5,
  kProgramRun = 10,
  kRawTracepointOpen = 17,
  kLinkCreate = 28,
  kIteratorCreate = 33,
};

constexpr std::size_t kLogBytes = 64 << 10;
// EAGAIN: a signal interrupted the verifier; libbpf gives up after five attempts, too.
constexpr int kMostLoadAttempts = 5;

std::uint64_t Address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

Result<Fd> Call(Command command, bpf_attr& attributes, std::size_t bytes) {
  long got = -1;
  for (int attempt = 0; attempt < kMostLoadAttempts; ++attempt) {
    got = ::syscall(SYS_bpf, command, &attributes, static_cast<unsigned>(bytes));
    if (got >= 0 || (errno != EAGAIN && errno != EINTR)) break;
  }
  if (got < 0) return Errno{errno};
  return Fd(static_cast<int>(got));
}

// Kernels before 5.11 charge programs and maps to RLIMIT_MEMLOCK, 64 KiB by default: EPERM then.
bool LiftMemoryLock() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return false;
  const rlimit lifted{RLIM_INFINITY, RLIM_INFINITY};
  return ::setrlimit(RLIMIT_MEMLOCK, &lifted) == 0;
}

template <class Make>
Result<Fd> WithMemoryLock(Make&& make) {
  Result<Fd> made = make();
  if (made.error() == EPERM && LiftMemoryLock()) made = make();
  return made;
}

template <std::size_t N>
void CopyName(char (&into)[N], const char* name) {
  std::memcpy(into, name, std::min(std::strlen(name), kMostNameBytes));
}

}  // namespace

Result<Fd> LoadProgram(const ProgramRequest& request, std::string* log) {
  bpf_attr attributes{};
  attributes.prog_type = request.type;
  attributes.expected_attach_type = request.attach_type;
  attributes.attach_btf_id = request.attach_btf_id;
  attributes.insns = Address(request.instructions.data());
  attributes.insn_cnt = static_cast<std::uint32_t>(request.instructions.size());
  attributes.license = Address("GPL");
  attributes.prog_flags = request.flags;
  CopyName(attributes.prog_name, request.name);
  // Up to attach_btf_id: the last field that kernels with iterators all know.
  constexpr std::size_t kBytes = offsetof(bpf_attr, attach_btf_id) + sizeof(attributes.attach_btf_id);
  Result<Fd> program = WithMemoryLock([&] { return Call(kProgramLoad, attributes, kBytes); });
  if (program || log == nullptr) return program;
  log->assign(kLogBytes, '\0');
  attributes.log_buf = Address(log->data());
  attributes.log_size = static_cast<std::uint32_t>(log->size());
  attributes.log_level = 1;
  program = Call(kProgramLoad, attributes, kBytes);
  log->resize(std::strlen(log->c_str()));
  return program;
}

Result<Fd> CreateMap(std::uint32_t type, std::uint32_t key_bytes, std::uint32_t value_bytes,
                     std::uint32_t entries, const char* name, std::uint32_t flags) {
  bpf_attr attributes{};
  attributes.map_type = type;
  attributes.key_size = key_bytes;
  attributes.value_size = value_bytes;
  attributes.max_entries = entries;
  attributes.map_flags = flags;
  CopyName(attributes.map_name, name);
  constexpr std::size_t kBytes = offsetof(bpf_attr, map_name) + sizeof(attributes.map_name);
  return WithMemoryLock([&] { return Call(kMapCreate, attributes, kBytes); });
}

int LookUp(int map, const void* key, void* value) {
  bpf_attr attributes{};
  attributes.map_fd = static_cast<std::uint32_t>(map);
  attributes.key = Address(key);
  attributes.value = Address(value);
  constexpr unsigned kBytes = offsetof(bpf_attr, flags) + sizeof(attributes.flags);
  return ::syscall(SYS_bpf, kMapLookUp, &attributes, kBytes) == 0 ? 0 : errno;
}

Result<Fd> CreateLink(int program, std::uint32_t attach_type, int target) {
  bpf_attr attributes{};
  attributes.link_create.prog_fd = static_cast<std::uint32_t>(program);
  attributes.link_create.target_fd = static_cast<std::uint32_t>(target);
  attributes.link_create.attach_type = attach_type;
  return Call(kLinkCreate, attributes, offsetof(bpf_attr, link_create.flags) + sizeof(std::uint32_t));
}

Result<Fd> CreateIterator(int link) {
  bpf_attr attributes{};
  attributes.iter_create.link_fd = static_cast<std::uint32_t>(link);
  return Call(kIteratorCreate, attributes, sizeof(attributes.iter_create));
}

int RunProgram(int program) {
  bpf_attr attributes{};
  attributes.test.prog_fd = static_cast<std::uint32_t>(program);
  return ::syscall(SYS_bpf, kProgramRun, &attributes, sizeof attributes.test) == 0 ? 0 : errno;
}

Result<Fd> OpenRawTracepoint(int program, const char* tracepoint) {
  bpf_attr attributes{};
  attributes.raw_tracepoint.name = Address(tracepoint);
  attributes.raw_tracepoint.prog_fd = static_cast<std::uint32_t>(program);
  return Call(kRawTracepointOpen, attributes, sizeof(attributes.raw_tracepoint));
}

}  // namespace desk::bpf
