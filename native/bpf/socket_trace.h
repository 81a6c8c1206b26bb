// Reports when a listener of our own network namespace, or a connection to port 443, appears or goes: BPF
// programs write to a ring buffer and record which process made each listener. Needs root, or CAP_BPF and
// CAP_PERFMON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "bpf/maker_table.h"
#include "bpf/ring_buffer.h"
#include "core/fd.h"
#include "core/unavailable.h"

namespace desk::bpf {

enum class SocketChange : std::uint32_t {
  kTcpListener = 1,  // the raw tracepoint inet_sock_set_state: from or to LISTEN
  kHttps = 2,        // the same: from or to ESTABLISHED, remote port 443
  kUdp = 3,          // a UDP socket was bound, connected or disconnected, or is being closed
  kUdpConnect = 4,   // a bound UDP socket is about to be connected: the change follows
};

class SocketTrace {
 public:
  struct Status {
    Unavailable tcp;
    Unavailable udp;        // never works without tcp
    Unavailable makers;     // the same; of UDP sockets where udp works too
    Unavailable udp_exits;  // not empty while udp works: it works by cgroup hooks, which see less
  };

  // Loads and attaches. The kernel may report a change shortly before a dump of sockets shows it.
  Status Open();

  // Readable while changes wait; -1 when nothing is attached.
  int fd() const { return links_.empty() ? -1 : ring_.map(); }

  // Calls visit(SocketChange, pid, CLOCK_MONOTONIC ns) for each waiting record. The pid is that of the
  // process that ran then, in the initial pid namespace: the one that made or closed the listener; any
  // process with kHttps. When the ring was full the kernel dropped changes, but then older ones are in this
  // call: a dump of sockets after it misses none.
  template <class Visit>
  void Drain(Visit&& visit) {
    ring_.reader().Drain([&](std::span<const std::byte> bytes) {
      Record record{};
      if (bytes.size() < sizeof(record)) return;
      std::memcpy(&record, bytes.data(), sizeof(record));
      visit(static_cast<SocketChange>(record.change), record.pid, static_cast<std::int64_t>(record.time_ns));
    });
  }

 private:
  // As the programs write it.
  struct Record {
    std::uint32_t change;
    std::int32_t pid;
    std::uint64_t time_ns;
  };

  RingBuffer ring_;
  std::vector<Fd> links_;
  // Each is held only while the programs that write to it are attached: released before them. Empty where
  // Status has a reason.
  MakerTables makers_;
};

}  // namespace desk::bpf
