// Reads the kernel's events and keeps what they mean: what is pending for the consumer, and what it has to
// read again later. Not thread-safe: see Watch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bpf/socket_trace.h"
#include "core/unavailable.h"
#include "watch/connector.h"
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

struct DueSubject {
  std::int32_t subject;
  std::int64_t due_ns;
};

class EventCollector {
 public:
  explicit EventCollector(const WatchOptions& options);

  WatchStart Open(const WatchOptions& options);

  // Readable while events wait; -1 = no such source.
  int process_fd() const { return process_fd_; }
  int socket_fd() const { return sockets_.fd(); }
  // Process events that the kernel keeps until they are read.
  std::size_t Room() const { return connector_.Room(); }

  struct Read {
    std::size_t events = 0;
    bool more = false;  // more may wait
  };
  // Reads a batch of process events, and all socket events.
  Read ReadEvents();

  // What is due now, but for the pass over everything: subjects of RereadSchedule.
  std::vector<DueSubject> TakeDue(std::int64_t now_ns);
  // Makes it pending.
  void Report(const DueSubject& due);
  bool PassDue(std::int64_t now_ns) const { return next_all_ns_ <= now_ns; }
  // The pass that is due becomes pending, unless it is not `needed`.
  void Pass(std::int64_t now_ns, bool needed);
  std::int64_t NextDueNs() const;

  Pending& pending() { return pending_; }
  const Pending& pending() const { return pending_; }

  // Reads all events and what is due, then takes what is pending: see Pending::Take. Of the pids, those are
  // negative that have exited and are gone.
  bool Take(std::span<std::int32_t> pids, WatchDelta& delta);

 private:
  void ReadProcesses(std::int64_t now_ns);
  void ReadSockets(std::int64_t now_ns);
  void MarkEnded(std::span<std::int32_t> taken);

  ProcConnector connector_;
  bpf::SocketTrace sockets_;
  int process_fd_ = -1;
  Pending pending_;
  RereadSchedule processes_;
  RereadSchedule rereads_of_sockets_;
  std::int64_t all_ns_;
  std::int64_t next_all_ns_;
  ProcBatch batch_;
  std::size_t makers_ = 0;  // reported since the last take
  std::vector<std::int32_t> ended_;
};

}  // namespace desk
