// The thread that waits for the kernel's events and collects them for a consumer: process events, socket
// events, and listeners by polling where socket events are not available. It sleeps while nothing happens.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "bpf/socket_trace.h"
#include "core/fd.h"
#include "core/result.h"
#include "core/unavailable.h"
#include "watch/connector.h"
#include "watch/listener_poll.h"
#include "watch/pending.h"
#include "watch/schedule.h"

namespace desk {

struct WatchOptions {
  std::uint32_t listen_poll_ms = 10;
  // A process is due again this long after its fork, exec or exit.
  std::vector<std::uint32_t> reread_ms = {10, 100, 1000};
  // Everything is due this often.
  std::uint32_t all_ms = 5000;
  // Whether to request socket events from the kernel.
  bool tracepoint = true;
  // Receive buffer of the connector; 0 = the default.
  std::uint32_t buffer_bytes = 0;
};

// Which sources work, and why the others do not.
struct WatchStart {
  Unavailable connector;
  Unavailable tracepoint;
  Unavailable udp;
  Unavailable makers;
  Unavailable udp_exits;  // see SocketTrace::Status
  std::uint32_t buffer_bytes = 0;
};

class Watch {
 public:
  // `wake` is called on the watch's own thread, once between two takes that had something to take. The first
  // take says `all`. A refusal means that no descriptor or thread is available.
  static Result<std::unique_ptr<Watch>> Start(const WatchOptions& options, std::function<void()> wake,
                                              WatchStart& start);
  // Stops the thread and waits for it; `wake` is not called any more.
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // See Pending::Take. From any thread.
  bool Take(std::span<std::int32_t> pids, WatchDelta& delta) { return pending_.Take(pids, delta); }

  // The consumer read these listeners: a later poll that finds others reports them, even if the poll itself
  // has seen no change. From any thread.
  void Saw(const ListenerView& view, std::uint32_t rows) {
    if (poll_) pending_.Saw(poll_->SumOf(view, rows));
  }

  // CPU that the thread has used, µs.
  double CpuUs();

 private:
  Watch(const WatchOptions& options, std::function<void()> wake);
  int Prepare(WatchStart& start);
  int Listen(int fd);
  void Run();
  void Await();
  void TakeProcesses();
  void TakeSockets();
  void ReportBatch(std::int64_t now_ns);
  void TakeDue();
  void ReportDue(Pending::Batch& batch, std::int64_t now_ns);
  void PollListeners(std::int64_t now_ns);
  std::int64_t NextReportNs() const;
  void ArmTimer();
  // Waits for more events when the last ones came shortly before.
  void CollectStorm(std::int64_t& last_ns);
  // Runs work(batch) under the lock of what is pending, then wakes the consumer if need be.
  template <class Work>
  void Report(Work&& work);

  // Socket changes of one kind are reported at once, then delayed and combined.
  struct Spaced {
    std::int64_t again_ns = RereadSchedule::kNever;
    bool more = false;
  };
  void Change(Pending::Batch& batch, std::int32_t subject, std::int64_t time_ns, std::int64_t now_ns);
  void ReportSubject(Pending::Batch& batch, std::int32_t subject, std::int64_t time_ns);
  Spaced& SpacedOf(std::int32_t subject) { return spaced_[subject == RereadSchedule::kListeners ? 0 : 1]; }

  const WatchOptions options_;
  const std::function<void()> wake_;
  Pending pending_;

  Fd epoll_;
  Fd timer_;
  Fd stop_;
  ProcConnector connector_;
  bpf::SocketTrace sockets_;
  std::unique_ptr<ListenerPoll> poll_;

  // Of the thread alone.
  RereadSchedule processes_;
  RereadSchedule rereads_of_sockets_;
  std::array<Spaced, 2> spaced_;
  // Processes that made or closed listeners since listeners were last reported.
  std::vector<std::int32_t> makers_;
  ProcBatch batch_;
  std::int64_t next_all_ns_ = 0;
  std::int64_t next_poll_ns_ = RereadSchedule::kNever;
  std::int64_t armed_ns_ = RereadSchedule::kNever;
  std::int64_t last_processes_ns_ = 0;
  std::int64_t last_sockets_ns_ = 0;
  bool stopping_ = false;
  bool processes_wait_ = false;
  bool sockets_wait_ = false;

  std::thread thread_;
};

}  // namespace desk
