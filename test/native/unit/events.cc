// The watch and the task iterator, started, used and stopped by many threads at once, under TSan. Both work
// as far as this machine permits; a refusal must be the same for all threads.
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <semaphore>
#include <span>
#include <thread>
#include <vector>

#include "bpf/task_sweep.h"
#include "bpf/tracing.h"
#include "core/columns.h"
#include "core/root.h"
#include "harness.h"
#include "watch/watch.h"

namespace desk::unit {
namespace {

constexpr int kThreads = 8;
// Far longer than any wait here takes: a longer wait means that the event was lost.
constexpr std::chrono::seconds kLost{30};

// Tables of one sweep of the whole machine.
struct Table {
  Capacity capacity{.processes = 1 << 15, .text = 1 << 20};
  std::vector<std::uint64_t> buffer = std::vector<std::uint64_t>(LayoutBytes(capacity) / 8);
  Columns columns = Bind(reinterpret_cast<std::byte*>(buffer.data()), capacity);
};

void TasksAreSweptTogether(int rounds) {
  Root root(Fd(::open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC)), "/proc");
  std::array<const bpf::Tracing*, kThreads> tracings{};
  InThreads(kThreads, [&](int index) {
    const bpf::Tracing& tracing = bpf::TheTracing();
    tracings[static_cast<std::size_t>(index)] = &tracing;
    const Table table;
    for (int i = 0; i < 10 * rounds; ++i) {
      const Result<bpf::TaskSweepResult> swept =
          bpf::SweepTasks(root, table.columns, table.capacity, i % 3 == 0);
      Check(swept.ok() == (tracing.tasks != nullptr));
      if (!swept) {
        Check(swept.error() == tracing.error && !tracing.reason.empty());
        continue;
      }
      Check(swept->count <= table.capacity.processes && swept->tasks >= kThreads);
      const ProcessView& rows = table.columns.processes;
      const std::span<const std::int32_t> pids(rows.pid, swept->count);
      Check(std::ranges::is_sorted(pids));
      const auto self = std::ranges::lower_bound(pids, ::getpid());
      Check(self != pids.end() && *self == ::getpid());
      const auto row = static_cast<std::size_t>(self - pids.begin());
      Check(rows.uid[row] == ::getuid() && rows.ppid[row] == ::getppid() && rows.threads[row] > 1);
      Check((rows.seen[row] & kFactExe) != 0 && rows.exe_length[row] > 0 && rows.identity[row] != 0);
    }
  });
  for (const bpf::Tracing* tracing : tracings) Check(tracing == tracings[0]);
}

// Opens a listener and closes it.
void ListenOnce() {
  const Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  Check(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  Check(::listen(socket.get(), 1) == 0);
  // Long enough for a poll to see it, where the kernel sends no event.
  ::poll(nullptr, 0, 5);
}

// One watch, and the consumer that it wakes.
struct Watched {
  std::counting_semaphore<> woken{0};
  WatchStart start;
  std::unique_ptr<Watch> watch;

  explicit Watched(const WatchOptions& options = {.listen_poll_ms = 1}) {
    Result<std::unique_ptr<Watch>> started = Watch::Start(
        options, [this] { woken.release(); }, start);
    Check(started.ok());
    watch = std::move(started.value());
  }
  // The delta of the next wake-up.
  WatchDelta Next() {
    std::array<std::int32_t, 64> pids{};
    WatchDelta delta;
    Check(woken.try_acquire_for(kLost));
    Check(watch->Take(pids, delta));
    return delta;
  }
};

void WatchesLiveAndDieTogether(int rounds) {
  InThreads(
      kThreads,
      [&](int index) {
        for (int i = 0; i < 5 * rounds; ++i) {
          Watched watched;
          // Some are stopped before their first report.
          if ((index + i) % 4 == 0) continue;
          Check(watched.Next().all);
          Check(watched.watch->CpuUs() > 0);
        }
      });
}

void OneWatchIsTakenFromByMany(int rounds) {
  Watched watched;
  std::atomic<int> told = 0;
  std::atomic<bool> done = false;
  InThreads(kThreads, [&](int index) {
    if (index == 0) {
      // Whichever thread takes it: every change reaches a thread.
      for (int i = 0; i < 10 * rounds; ++i) {
        const int before = told;
        for (int tries = 0; told == before; ++tries) {
          Check(tries < 1000);
          ListenOnce();
        }
      }
      done = true;
      return;
    }
    while (!done) {
      std::array<std::int32_t, 16> pids{};
      WatchDelta delta;
      if (watched.watch->Take(pids, delta)) {
        Check(delta.count <= pids.size() && !delta.broken);
        if (delta.listeners) ++told;
      }
      Check(watched.watch->CpuUs() >= 0);
      std::this_thread::yield();
    }
  });
}

// A thread that starts, names itself or ends does not cause its process to be read again.
void EventsOfThreadsAreCounted(int) {
  Pending pending;
  const auto tell = [&pending](ProcEventKind kind, std::int32_t pid, std::int32_t process) {
    ProcEvent event{};
    event.kind = kind;
    event.pid = pid;
    event.tgid = process;
    pending.Process(event, 1);
    return pending.WakeDue();
  };
  using enum ProcEventKind;
  std::array<std::int32_t, 8> pids{};
  WatchDelta delta;
  for (int thread = 0; thread < 5; ++thread)
    for (const ProcEventKind kind : {kFork, kComm, kExit}) Check(!tell(kind, 101 + thread, 100));
  Check(!pending.Take(pids, delta));
  Check(tell(kFork, 200, 200));
  Check(pending.Take(pids, delta) && delta.count == 1 && pids[0] == 200);
  Check(delta.events.fork == 6 && delta.events.comm == 5 && delta.events.exit == 5);
}

// NOLINTNEXTLINE(cert-err58-cpp): without memory for the list of tests there is nothing to catch
const Suite kSuite{"events",
                   {{"tasks are swept together", TasksAreSweptTogether},
                    {"events of threads are counted", EventsOfThreadsAreCounted},
                    {"watches live and die together", WatchesLiveAndDieTogether},
                    {"one watch is taken from by many", OneWatchIsTakenFromByMany}}};

}  // namespace
}  // namespace desk::unit
