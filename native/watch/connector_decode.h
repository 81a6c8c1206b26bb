// Process events as the kernel's proc connector sends them: Documentation/driver-api/connector.rst and
// include/uapi/linux/{netlink,connector,cn_proc}.h. A pure parser; ProcConnector communicates with the
// kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace desk {

enum class ProcEventKind : std::uint8_t {
  kAcknowledgement,  // the kernel's answer to a subscription, of ours or of another subscriber
  kFork,             // a new process or a new thread
  kExec,
  kId,  // uid, gid or session
  kPtrace,
  kComm,
  kExit,   // of a process or of a thread
  kOther,  // core dumps, and kinds of newer kernels
};

// Pids are those of the initial pid namespace.
struct ProcEvent {
  ProcEventKind kind = ProcEventKind::kOther;
  std::uint32_t cpu = 0;
  // Counts the events of `cpu`, acknowledgements too; old kernels give those the CPU number 2^32 - 1.
  std::uint32_t sequence = 0;
  std::uint32_t acknowledged = 0;  // of an acknowledgement cn_msg.ack of the subscription, plus one; else 0
  std::uint32_t error = 0;         // of an acknowledgement: errno, or 0
  std::int32_t pid = 0;            // the process, for a fork the child; 0 for kOther of an unknown kind
  std::int32_t tgid = 0;
  std::uint64_t timestamp_ns = 0;  // CLOCK_MONOTONIC of the initial time namespace
  bool operator==(const ProcEvent&) const = default;
};

// Appends the events of one received datagram. False when it is malformed: then an event is missing.
// Messages of other connectors are skipped. Never reads beyond `bytes`, whatever they hold.
bool DecodeProcEvents(std::span<const std::byte> bytes, std::vector<ProcEvent>& events);

// The kernel numbers the events of each CPU: a gap is a lost event.
class SequenceCheck {
 public:
  // How many events of this CPU were lost between the last one seen and this one; 0 for the first, and for an
  // invalid CPU number.
  std::uint32_t Missed(std::uint32_t cpu, std::uint32_t sequence);

 private:
  struct Expected {
    std::uint32_t next = 0;
    bool known = false;
  };
  std::vector<Expected> cpus_;
};

}  // namespace desk
