#include "bpf/task_walk.h"

#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "bpf/syscall.h"

namespace desk::bpf {
namespace {

constexpr std::uint64_t kFewestRecords = 64;
// PID_MAX_LIMIT of linux/threads.h: there are never more tasks.
constexpr std::uint64_t kMostRecords = 4 << 20;
constexpr int kMostGrowths = 8;
constexpr std::uint32_t kRoomyRuns = 1000;

// Threads on this machine; no more are written at first.
std::uint64_t Tasks() {
  struct sysinfo info {};
  return ::sysinfo(&info) == 0 ? info.procs : 0;
}

}  // namespace

int TaskWalk::Load(std::uint64_t records) {
  const auto room =
      static_cast<std::uint32_t>(std::clamp(records + records / 4, kFewestRecords, kMostRecords));
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t wanted = program_.records_at + room * sizeof(TaskRecord);
  const std::size_t bytes = (wanted + page - 1) / page * page;
  Result<Fd> map = CreateMap(kMapArray, sizeof(std::uint32_t), static_cast<std::uint32_t>(wanted), 1,
                             "desk_task_walk", kMapMappable);
  if (!map) return map.error();
  void* const value = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, map->get(), 0);
  if (value == MAP_FAILED) return errno;
  std::unique_ptr<std::byte, Unmap> mapped(static_cast<std::byte*>(value), Unmap{bytes});
  Result<Fd> program = LoadProgram({.type = kProgramSyscall,
                                    .name = "desk_task_walk",
                                    .instructions = program_.For(map->get(), room),
                                    .flags = kProgramSleepable});
  if (!program) return program.error();
  value_ = std::move(mapped);
  map_ = std::move(map.value());
  loaded_ = std::move(program.value());
  room_ = room;
  roomy_ = 0;
  return 0;
}

Result<std::span<const TaskRecord>> TaskWalk::Run(std::span<const std::int32_t> pids) {
  if (pids.size() > kMostRequested) return Errno{E2BIG};
  std::uint64_t expected = pids.empty() ? Tasks() : pids.size();
  if (loaded_.valid() && roomy_ >= kRoomyRuns) expected = header().records;
  for (int growth = 0; growth < kMostGrowths; ++growth) {
    if (!loaded_.valid() || growth > 0 || roomy_ >= kRoomyRuns) {
      if (const int error = Load(expected)) return Errno{error};
    }
    header() = {.records = 0, .tasks = 0, .requested = pids.size()};
    if (!pids.empty()) std::memcpy(value_.get() + sizeof(WalkHeader), pids.data(), pids.size_bytes());
    if (const int error = RunProgram(loaded_.get())) return Errno{error};
    expected = header().records;
    if (expected > room_) continue;
    roomy_ = room_ > kFewestRecords && 4 * expected < room_ ? roomy_ + 1 : 0;
    // The map is aligned to pages, and records_at is a multiple of 8.
    return std::span(reinterpret_cast<const TaskRecord*>(value_.get() + program_.records_at), expected);
  }
  return Errno{EAGAIN};
}

}  // namespace desk::bpf
