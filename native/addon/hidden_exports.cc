#include <algorithm>
#include <string>

#include "addon/boundary.h"
#include "addon/exports.h"
#include "probe/hidden_pid.h"
#include "probe/hidden_port.h"
#include "probe/proc_pids.h"

namespace desk::addon {
namespace {

// Ascending positive numbers: with a list out of order the stages would miss or invent pids.
std::span<const std::int32_t> PidsArgument(const Napi::CallbackInfo& info, std::size_t index,
                                           const char* name) {
  const std::span<const std::int32_t> pids = Int32Argument(info, index, name);
  if (!std::ranges::is_sorted(pids) || (!pids.empty() && pids.front() < 1))
    throw Napi::RangeError::New(info.Env(), std::string(name) + " must be ascending numbers from 1 on");
  return pids;
}

const char* HidingName(Hiding hiding) {
  switch (hiding) {
    case Hiding::kNothing: return "nothing";
    case Hiding::kContents: return "contents";
    case Hiding::kInvisible: return "invisible";
    case Hiding::kPtraceable: return "ptraceable";
  }
  return "";
}

// hiddenPidSight(root): PidSight
Napi::Value HiddenPidSight(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  const PidSight sight = CheckPidSight(root->fd());
  return ObjectOf(env, {{"root", RefusalOrNull(env, sight.root_error, "proc")},
                        {"getsid", RefusalOrNull(env, sight.session_error, "getsid")},
                        {"pidfdOpen", RefusalOrNull(env, sight.pidfd_error, "pidfd_open")},
                        {"openat2", RefusalOrNull(env, sight.open_error, "openat2")},
                        {"hides", ValueOr(env, sight.mount, "mountinfo",
                                          [env](const ProcMount& mount) {
                                            return Napi::String::New(env, HidingName(mount.hiding));
                                          })},
                        {"pidMax", ValueOr(env, sight.pid_max, "pid_max")}});
}

// listPids(root, into): number | Refusal
Napi::Value ListPidsInto(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  return ValueOr(info.Env(), ListPids(root->fd(), Int32Argument(info, 1, "into")), "proc");
}

// probePids(listed, from, to): PidProbe
Napi::Value ProbePidRange(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::span<const std::int32_t> listed = PidsArgument(info, 0, "listed");
  const auto from = IntegerArgument<std::int32_t>(info, 1, "from", 1, kPidLimit);
  const auto to = IntegerArgument<std::int32_t>(info, 2, "to", from, kPidLimit);
  const PidProbe probe = ProbePids(listed, from, to);
  return ObjectOf(env, {{"suspects", TypedCopy<std::int32_t>(env, probe.suspects)},
                        {"tried", probe.tried},
                        {"sessions", probe.sessions},
                        {"leaders", probe.leaders}});
}

// coveredPids(root, pids): Int32Array | Refusal
Napi::Value CoveredPids(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  return ValueOr(info.Env(), MountedOver(root->fd(), PidsArgument(info, 1, "pids")), "statx",
                 [&info](const auto& covered) { return TypedCopy<std::int32_t>(info.Env(), covered); });
}

// confirmPids(root, suspects, elsewhere): Uint8Array | Refusal
Napi::Value ConfirmSuspects(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  const std::span<const std::int32_t> suspects = PidsArgument(info, 1, "suspects");
  const std::span<const std::int32_t> elsewhere = PidsArgument(info, 2, "elsewhere");
  if (suspects.size() > kMostSuspects)
    throw Napi::RangeError::New(info.Env(), "suspects must be at most " + std::to_string(kMostSuspects));
  return ValueOr(info.Env(), ConfirmPids(root->fd(), suspects, elsewhere), "confirmation",
                 [&info](const auto& evidence) { return TypedCopy<std::uint8_t>(info.Env(), evidence); });
}

// describePid(root, pid): PidDescription | Refusal
Napi::Value DescribeHidden(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  const auto pid = IntegerArgument<std::int32_t>(info, 1, "pid", 1, kPidLimit);
  return ValueOr(env, DescribePid(root->fd(), pid), "description", [env](const PidDescription& about) {
    return ObjectOf(env, {{"comm", TypedCopy<std::uint8_t>(env, CommOf(about.comm))},
                          {"start", Napi::BigInt::New(env, about.start)},
                          {"exe", TypedCopy<std::uint8_t>(env, about.executable)},
                          {"freshProc", about.fresh_proc}});
  });
}

PortProtocol ProtocolArgument(const Napi::CallbackInfo& info, std::size_t index) {
  const std::int64_t number = IntegerArgument(info, index, "protocol", 6, 17);
  if (number == 6) return PortProtocol::kTcp;
  if (number == 17) return PortProtocol::kUdp;
  throw Napi::RangeError::New(info.Env(), "protocol must be 6 (TCP) or 17 (UDP)");
}

PortBits BitsArgument(const Napi::CallbackInfo& info, std::size_t index, const char* name) {
  const std::span<std::uint8_t> bytes = BytesArgument(info, index, name);
  if (bytes.size() != kPortBytes) {
    throw Napi::RangeError::New(info.Env(),
                                std::string(name) + " must have " + std::to_string(kPortBytes) + " bytes");
  }
  return PortBits(bytes);
}

// hiddenPortSight(): PortSight
Napi::Value HiddenPortSight(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const PortSight sight = CheckPortSight();
  return ObjectOf(env, {{"v4", RefusalOrNull(env, sight.v4_error, "socket v4")},
                        {"v6", RefusalOrNull(env, sight.v6_error, "socket v6")},
                        {"bound", RefusalOrNull(env, sight.bound_error, "sock_diag bound")}});
}

// portTable(protocol, family, table): Refusal | null
Napi::Value PortTable(const Napi::CallbackInfo& info) {
  const PortProtocol protocol = ProtocolArgument(info, 0);
  const auto family = IntegerArgument<std::uint8_t>(info, 1, "family", 4, 6);
  if (family == 5) throw Napi::RangeError::New(info.Env(), "family must be 4 or 6");
  const int error = AddTable(protocol, family, BitsArgument(info, 2, "table"));
  const std::string source =
      std::string("sock_diag ") + (protocol == PortProtocol::kTcp ? "tcp" : "udp") + std::to_string(family);
  return RefusalOrNull(info.Env(), error, source);
}

// probePorts(protocol, from, to, taken): PortProbe
Napi::Value ProbePortRange(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const PortProtocol protocol = ProtocolArgument(info, 0);
  const auto from = IntegerArgument<std::uint32_t>(info, 1, "from", 1, kPorts);
  const auto to = IntegerArgument<std::uint32_t>(info, 2, "to", from, kPorts);
  const PortProbe probe = ProbePorts(protocol, from, to, BitsArgument(info, 3, "taken"));
  return ObjectOf(env, {{"tried", probe.tried},
                        {"taken", probe.taken},
                        {"refused", probe.refused},
                        {"lowestRefused", probe.lowest_refused},
                        {"highestRefused", probe.highest_refused},
                        {"refusedBy", RefusalOrNull(env, probe.refusal, "bind")},
                        {"refusal", RefusalOrNull(env, probe.error, "bind")}});
}

// confirmPort(protocol, port): PortVerdict | Refusal
Napi::Value ConfirmTaken(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const PortProtocol protocol = ProtocolArgument(info, 0);
  const auto port = IntegerArgument<std::uint16_t>(info, 1, "port", 1, kMostPort);
  return ValueOr(env, ConfirmPort(protocol, port), "confirmation", [env](const PortVerdict& verdict) {
    // In the order of PortVerdict::Kind and of BoundTo.
    constexpr const char* kKinds[] = {"free", "listed", "hidden"};
    constexpr const char* kBound[] = {"nothing", "wildcard", "loopback", "other"};
    return ObjectOf(env, {{"kind", kKinds[static_cast<std::size_t>(verdict.kind)]},
                          {"v4", kBound[static_cast<std::size_t>(verdict.v4)]},
                          {"v6", kBound[static_cast<std::size_t>(verdict.v6)]}});
  });
}

}  // namespace

void ExportHidden(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "hiddenPidSight", HiddenPidSight);
  ExportFunction(env, exports, "listPids", ListPidsInto);
  ExportFunction(env, exports, "probePids", ProbePidRange);
  ExportFunction(env, exports, "coveredPids", CoveredPids);
  ExportFunction(env, exports, "confirmPids", ConfirmSuspects);
  ExportFunction(env, exports, "describePid", DescribeHidden);
  ExportFunction(env, exports, "hiddenPortSight", HiddenPortSight);
  ExportFunction(env, exports, "portTable", PortTable);
  ExportFunction(env, exports, "probePorts", ProbePortRange);
  ExportFunction(env, exports, "confirmPort", ConfirmTaken);
}

}  // namespace desk::addon
