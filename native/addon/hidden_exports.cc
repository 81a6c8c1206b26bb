#include "addon/hidden_exports.h"

#include <algorithm>
#include <climits>
#include <string>
#include <vector>

#include "addon/boundary.h"
#include "probe/hidden_pid.h"
#include "probe/hidden_port.h"
#include "probe/proc_pids.h"

namespace desk::addon {
namespace {

// Null for 0, else a Refusal.
Napi::Value RefusalOrNull(Napi::Env env, int error, const char* source) {
  if (error == 0) return env.Null();
  return RefusalValue(env, error, source);
}

template <class T>
Napi::Value TypedCopy(Napi::Env env, const std::vector<T>& values) {
  auto copy = Napi::TypedArrayOf<T>::New(env, values.size());
  std::ranges::copy(values, copy.Data());
  return {env, copy};
}

// Ascending positive numbers, as the stages need them: a list out of order would hide or invent pids.
std::span<const std::int32_t> PidsArgument(const Napi::CallbackInfo& info, std::size_t index,
                                           const char* name) {
  const std::span<const std::int32_t> pids = Int32Argument(info, index, name);
  if (!std::ranges::is_sorted(pids) || (!pids.empty() && pids.front() < 1)) {
    throw Napi::RangeError::New(info.Env(), std::string(name) + " must be ascending numbers from 1 on");
  }
  return pids;
}

const char* HidingName(Hiding hiding) {
  switch (hiding) {
    case Hiding::kNothing:
      return "nothing";
    case Hiding::kContents:
      return "contents";
    case Hiding::kInvisible:
      return "invisible";
    case Hiding::kPtraceable:
      return "ptraceable";
  }
  return "";
}

// hiddenPidSight(root): PidSight
Napi::Value HiddenPidSight(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  const PidSight sight = LookAtPidSight(root->fd());
  Napi::Object result = Napi::Object::New(env);
  result.Set("root", RefusalOrNull(env, sight.root_error, "proc"));
  result.Set("getsid", RefusalOrNull(env, sight.session_error, "getsid"));
  result.Set("pidfdOpen", RefusalOrNull(env, sight.pidfd_error, "pidfd_open"));
  result.Set("openat2", RefusalOrNull(env, sight.open_error, "openat2"));
  if (sight.mount) {
    result.Set("hides", HidingName(sight.mount->hiding));
  } else {
    result.Set("hides", RefusalValue(env, sight.mount.error(), "mountinfo"));
  }
  if (sight.pid_max) {
    result.Set("pidMax", *sight.pid_max);
  } else {
    result.Set("pidMax", RefusalValue(env, sight.pid_max.error(), "pid_max"));
  }
  return result;
}

// listPids(root, into): number | Refusal
Napi::Value ListPidsInto(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  const Result<std::uint32_t> count = ListPids(root->fd(), Int32Argument(info, 1, "into"));
  if (!count) return RefusalValue(info.Env(), count.error(), "proc");
  return Napi::Number::New(info.Env(), *count);
}

// probePids(listed, from, to): PidProbe
Napi::Value ProbePidRange(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::span<const std::int32_t> listed = PidsArgument(info, 0, "listed");
  const auto from = static_cast<std::int32_t>(IntegerArgument(info, 1, "from", 1, kPidLimit));
  const auto to = static_cast<std::int32_t>(IntegerArgument(info, 2, "to", from, kPidLimit));
  const PidProbe probe = ProbePids(listed, from, to);
  Napi::Object result = Napi::Object::New(env);
  result.Set("suspects", TypedCopy(env, probe.suspects));
  result.Set("tried", probe.tried);
  result.Set("sessions", probe.sessions);
  result.Set("leaders", probe.leaders);
  return result;
}

// coveredPids(root, pids): Int32Array | Refusal
Napi::Value CoveredPids(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  const Result<std::vector<std::int32_t>> covered = MountedOver(root->fd(), PidsArgument(info, 1, "pids"));
  if (!covered) return RefusalValue(info.Env(), covered.error(), "statx");
  return TypedCopy(info.Env(), *covered);
}

// confirmPids(root, suspects, elsewhere): Uint8Array | Refusal
Napi::Value ConfirmSuspects(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  const std::span<const std::int32_t> suspects = PidsArgument(info, 1, "suspects");
  const std::span<const std::int32_t> elsewhere = PidsArgument(info, 2, "elsewhere");
  if (suspects.size() > kMostSuspects) {
    throw Napi::RangeError::New(info.Env(), "suspects must be at most " + std::to_string(kMostSuspects));
  }
  const Result<std::vector<std::uint8_t>> evidence = ConfirmPids(root->fd(), suspects, elsewhere);
  if (!evidence) return RefusalValue(info.Env(), evidence.error(), "confirmation");
  return TypedCopy(info.Env(), *evidence);
}

// describePid(root, pid): PidDescription | Refusal
Napi::Value DescribeHidden(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  const auto pid = static_cast<std::int32_t>(IntegerArgument(info, 1, "pid", 1, kPidLimit));
  const Result<PidDescription> description = DescribePid(root->fd(), pid);
  if (!description) return RefusalValue(env, description.error(), "description");
  const auto bytes = [&](const char* from, std::size_t size) {
    return TypedCopy(env, std::vector<std::uint8_t>(from, from + size));
  };
  const auto& comm = description->comm;
  Napi::Object result = Napi::Object::New(env);
  result.Set("comm",
             bytes(comm.data(), static_cast<std::size_t>(std::ranges::find(comm, '\0') - comm.begin())));
  result.Set("start", Napi::BigInt::New(env, description->start));
  result.Set("exe", bytes(description->executable.data(), description->executable.size()));
  result.Set("freshProc", description->fresh_proc);
  return result;
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
  const PortSight sight = LookAtPortSight();
  Napi::Object result = Napi::Object::New(env);
  result.Set("v4", RefusalOrNull(env, sight.v4_error, "socket v4"));
  result.Set("v6", RefusalOrNull(env, sight.v6_error, "socket v6"));
  result.Set("bound", RefusalOrNull(env, sight.bound_error, "sock_diag bound"));
  return result;
}

// portTable(protocol, family, table): Refusal | null
Napi::Value PortTable(const Napi::CallbackInfo& info) {
  const PortProtocol protocol = ProtocolArgument(info, 0);
  const auto family = static_cast<std::uint8_t>(IntegerArgument(info, 1, "family", 4, 6));
  if (family == 5) throw Napi::RangeError::New(info.Env(), "family must be 4 or 6");
  const int error = AddTable(protocol, family, BitsArgument(info, 2, "table"));
  const std::string source =
      std::string("sock_diag ") + (protocol == PortProtocol::kTcp ? "tcp" : "udp") + std::to_string(family);
  return RefusalOrNull(info.Env(), error, source.c_str());
}

// probePorts(protocol, from, to, taken): PortProbe
Napi::Value ProbePortRange(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const PortProtocol protocol = ProtocolArgument(info, 0);
  const auto from = static_cast<std::uint32_t>(IntegerArgument(info, 1, "from", 1, kPorts));
  const auto to = static_cast<std::uint32_t>(IntegerArgument(info, 2, "to", from, kPorts));
  const PortProbe probe = ProbePorts(protocol, from, to, BitsArgument(info, 3, "taken"));
  Napi::Object result = Napi::Object::New(env);
  result.Set("tried", probe.tried);
  result.Set("taken", probe.taken);
  result.Set("refused", probe.refused);
  result.Set("lowestRefused", probe.lowest_refused);
  result.Set("highestRefused", probe.highest_refused);
  result.Set("refusedBy", RefusalOrNull(env, probe.refusal, "bind"));
  result.Set("refusal", RefusalOrNull(env, probe.error, "bind"));
  return result;
}

const char* BoundToName(BoundTo bound) {
  switch (bound) {
    case BoundTo::kNothing:
      return "nothing";
    case BoundTo::kWildcard:
      return "wildcard";
    case BoundTo::kLoopback:
      return "loopback";
    case BoundTo::kOther:
      return "other";
  }
  return "";
}

// confirmPort(protocol, port): PortVerdict | Refusal
Napi::Value ConfirmTaken(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const PortProtocol protocol = ProtocolArgument(info, 0);
  const auto port = static_cast<std::uint16_t>(IntegerArgument(info, 1, "port", 1, kPorts - 1));
  const Result<PortVerdict> verdict = ConfirmPort(protocol, port);
  if (!verdict) return RefusalValue(env, verdict.error(), "confirmation");
  using Kind = PortVerdict::Kind;
  Napi::Object result = Napi::Object::New(env);
  result.Set("kind", verdict->kind == Kind::kHidden   ? "hidden"
                     : verdict->kind == Kind::kListed ? "listed"
                                                      : "free");
  result.Set("v4", BoundToName(verdict->v4));
  result.Set("v6", BoundToName(verdict->v6));
  return result;
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
