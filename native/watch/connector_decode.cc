#include "watch/connector_decode.h"

#include <linux/connector.h>

#include <cstring>

#include "core/netlink.h"

namespace desk {
namespace {

// enum proc_cn_event; by number because the header moved the names out of struct proc_event in 6.6.
constexpr std::uint32_t kNone = 0x00000000;
constexpr std::uint32_t kFork = 0x00000001;
constexpr std::uint32_t kExec = 0x00000002;
constexpr std::uint32_t kUid = 0x00000004;
constexpr std::uint32_t kGid = 0x00000040;
constexpr std::uint32_t kSid = 0x00000080;
constexpr std::uint32_t kPtrace = 0x00000100;
constexpr std::uint32_t kComm = 0x00000200;
constexpr std::uint32_t kCoredump = 0x40000000;
constexpr std::uint32_t kExit = 0x80000000;

// struct proc_event before its union: what, cpu, timestamp_ns.
constexpr std::size_t kUnionOffset = 16;
// Larger numbers are invalid (CONFIG_NR_CPUS is at most 8192).
constexpr std::uint32_t kMaxCpus = 1u << 16;

bool TakePids(std::span<const std::byte> payload, std::size_t offset, ProcEvent& event) {
  return TakeAt(payload, offset, event.pid) && TakeAt(payload, offset + 4, event.tgid) && event.pid > 0 &&
         event.tgid > 0;
}

// struct proc_event.
bool DecodeEvent(std::span<const std::byte> payload, ProcEvent& event) {
  std::uint32_t what = 0;
  if (!TakeAt(payload, 0, what) || !TakeAt(payload, 4, event.cpu) || !TakeAt(payload, 8, event.timestamp_ns))
    return false;
  if (what == kNone) {
    event.kind = ProcEventKind::kAcknowledgement;
    return TakeAt(payload, kUnionOffset, event.error);
  }
  if (event.cpu >= kMaxCpus) return false;
  switch (what) {
    case kFork:
      event.kind = ProcEventKind::kFork;
      // parent_pid and parent_tgid come first.
      return TakePids(payload, kUnionOffset + 8, event);
    case kExec: event.kind = ProcEventKind::kExec; break;
    case kUid:
    case kGid:
    case kSid: event.kind = ProcEventKind::kId; break;
    case kPtrace: event.kind = ProcEventKind::kPtrace; break;
    case kComm: event.kind = ProcEventKind::kComm; break;
    case kExit: event.kind = ProcEventKind::kExit; break;
    case kCoredump: event.kind = ProcEventKind::kOther; break;
    default:
      // Unknown kind: only the fact that there was an event is used.
      event.kind = ProcEventKind::kOther;
      return true;
  }
  return TakePids(payload, kUnionOffset, event);
}

}  // namespace

bool DecodeProcEvents(std::span<const std::byte> bytes, std::vector<ProcEvent>& events) {
  while (!bytes.empty()) {
    nlmsghdr header{};
    std::span<const std::byte> message;
    if (!TakeMessage(bytes, header, message)) return false;
    if (header.nlmsg_type == NLMSG_NOOP) continue;
    if (header.nlmsg_type != NLMSG_DONE) return false;

    // cn_msg ends in a flexible array, so its size is that of its head.
    cn_msg head{};
    if (message.size() < sizeof(head)) return false;
    std::memcpy(&head, message.data(), sizeof(head));
    if (head.len > message.size() - sizeof(head)) return false;
    if (head.id.idx != CN_IDX_PROC || head.id.val != CN_VAL_PROC) continue;
    ProcEvent event{.sequence = head.seq, .acknowledged = head.ack};
    if (!DecodeEvent(message.subspan(sizeof(head), head.len), event)) return false;
    events.push_back(event);
  }
  return true;
}

std::uint32_t SequenceCheck::Missed(std::uint32_t cpu, std::uint32_t sequence) {
  if (cpu >= kMaxCpus) return 0;
  if (cpu >= cpus_.size()) cpus_.resize(cpu + 1);
  Expected& expected = cpus_[cpu];
  const std::uint32_t hole = expected.known ? sequence - expected.next : 0;
  expected = {.next = sequence + 1, .known = true};
  // A count that went back is not a gap of four billion, but an error.
  return hole > UINT32_MAX / 2 ? 1 : hole;
}

}  // namespace desk
