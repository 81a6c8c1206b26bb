#include <algorithm>
#include <csignal>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "act/held_process.h"
#include "act/listening_socket.h"
#include "act/quarantine.h"
#include "addon/aside.h"
#include "addon/boundary.h"
#include "addon/exports.h"
#include "bpf/maker_table.h"
#include "bpf/task_facts.h"
#include "probe/proc_stat.h"

namespace desk::addon {
namespace {

std::shared_ptr<HeldProcess> HeldArgument(const Napi::CallbackInfo& info) {
  return HandleArgument<HeldProcess>(info, 0, "held process");
}

ListeningSocket SocketArgument(const Napi::CallbackInfo& info, std::size_t index) {
  const Napi::Env env = info.Env();
  const Napi::Object object = ObjectArgument(info, index, "socket");
  const auto protocol = IntegerMember<std::uint8_t>(object, "protocol", 6, 17, "socket.");
  if (protocol != 6 && protocol != 17)
    throw Napi::RangeError::New(env, "socket.protocol must be 6 (TCP) or 17 (UDP)");
  const auto family = IntegerMember<std::uint8_t>(object, "family", 4, 6, "socket.");
  if (family == 5) throw Napi::RangeError::New(env, "socket.family must be 4 or 6");
  return {.protocol = protocol,
          .family = family,
          .port = IntegerMember<std::uint16_t>(object, "port", 1, kMostPort, "socket."),
          .inode = IntegerMember(object, "inode", 1, UINT32_MAX, "socket.")};
}

// In the order of Kin, Sent and Standing.
constexpr const char* kKinNames[] = {"none", "self", "ancestor", "descendant"};
constexpr const char* kSentNames[] = {"sent",          "exited",    "changed",   "not-holding",
                                      "not-listening", "not-maker", "forbidden", "refused"};
constexpr const char* kStandingNames[] = {"maker", "shares-maker", "creator-uid", "other"};

std::string SourceOf(std::int32_t pid) { return "process " + std::to_string(pid); }

// holdProcess(pid): Held | Refusal
Napi::Value HoldProcess(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::int32_t pid = PidArgument(info, 0);
  return ValueOr(env, HeldProcess::Hold(pid), SourceOf(pid), [env](const auto& held) {
    const ProcessIdentity& identity = held->identity();
    return ObjectOf(env, {{"handle", HandlesOf<HeldProcess>().Open(held)},
                          {"pid", held->pid()},
                          {"ppid", held->parent()},
                          {"start", Napi::BigInt::New(env, identity.start)},
                          {"uid", identity.uid},
                          {"euid", identity.euid},
                          {"executable", Napi::Buffer<char>::Copy(env, identity.executable.data(),
                                                                  identity.executable.size())},
                          {"kernelThread", held->kernel_thread()},
                          {"ourPidNamespace", held->our_pid_namespace()},
                          {"kin", kKinNames[static_cast<std::size_t>(held->kin())]}});
  });
}

// releaseProcess(held)
void ReleaseProcess(const Napi::CallbackInfo& info) { CloseArgument<HeldProcess>(info, 0, "held process"); }

// hasExited(held): boolean
Napi::Value HasExited(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), HeldArgument(info)->HasExited());
}

// signalHolder(held, signal, socket): SignalAnswer
Napi::Value SignalHolder(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::shared_ptr<HeldProcess> held = HeldArgument(info);
  const int signal = IntegerArgument<int>(info, 1, "signal", 1, 64);
  if (signal != SIGTERM && signal != SIGKILL)
    throw Napi::RangeError::New(env, "signal must be 15 (SIGTERM) or 9 (SIGKILL)");
  const SignalResult result = held->Signal(signal, SocketArgument(info, 2));
  return ObjectOf(env, {{"outcome", kSentNames[static_cast<std::size_t>(result.sent)]},
                        {"refusal", RefusalOrNull(env, result.error, SourceOf(held->pid()))}});
}

// holderStanding(pid, inode, creatorUid): Standing | Refusal
Napi::Value HolderStanding(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::int32_t pid = PidArgument(info, 0);
  const auto inode = IntegerArgument<std::uint32_t>(info, 1, "inode", 1, UINT32_MAX);
  const auto creator = IntegerArgument<std::uint32_t>(info, 2, "creatorUid", 0, UINT32_MAX);
  return ValueOr(env, HeldProcess::Hold(pid), SourceOf(pid), [&](const auto& held) {
    const Standing standing = held->StandingTowards(inode, creator);
    return Napi::String::New(env, kStandingNames[static_cast<std::size_t>(standing)]);
  });
}

// socketMaker(inode): SocketMaker | null
Napi::Value SocketMaker(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto inode = IntegerArgument<std::uint32_t>(info, 0, "inode", 1, UINT32_MAX);
  const std::optional<bpf::ListenerMaker> maker = bpf::MakerOf(inode);
  if (!maker) return env.Null();
  return ObjectOf(env, {{"pid", maker->pid},
                        {"uid", maker->uid},
                        {"start", Napi::BigInt::New(env, bpf::TicksOf(maker->start_ns))}});
}

// holdsSocket(pid, inode): boolean | Refusal
Napi::Value HoldsSocket(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::int32_t pid = PidArgument(info, 0);
  const auto inode = IntegerArgument<std::uint32_t>(info, 1, "inode", 1, UINT32_MAX);
  const Result<std::shared_ptr<HeldProcess>> held = HeldProcess::Hold(pid);
  if (!held) return RefusalValue(env, held.error(), SourceOf(pid));
  return ValueOr(env, (*held)->HoldsSocket(inode), SourceOf(pid),
                 [env](bool holds) { return Napi::Boolean::New(env, holds); });
}

// socketListens(socket): boolean | Refusal
Napi::Value SocketListens(const Napi::CallbackInfo& info) {
  return ValueOr(
      info.Env(), ListenerCreator(SocketArgument(info, 0)), "sock_diag",
      [&info](const auto& creator) { return Napi::Boolean::New(info.Env(), creator.has_value()); });
}

// socketHolders(root, inodes): SocketHolders[] | Refusal
Napi::Value SocketHoldersOf(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  const std::span<const std::uint32_t> inodes = ElementsOf<std::uint32_t>(info[1], "inodes");
  if (!std::ranges::is_sorted(inodes, std::ranges::less_equal()))
    throw Napi::RangeError::New(env, "inodes must be ascending and distinct");
  return ValueOr(env, FindHolders(root->fd(), inodes), "proc", [env](const auto& found) {
    return ArrayOf(env, found, [env](const SocketHolders& holders) {
      return ObjectOf(env, {{"pids", ArrayOf(env, holders.pids)}, {"unread", holders.unread}});
    });
  });
}

// processStart(root, pid): bigint | Refusal
Napi::Value ProcessStart(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  const Result<Stat> stat = ReadStat(root->fd(), PidArgument(info, 1));
  if (stat && !(stat->zombie() && stat->threads <= 1)) return Napi::BigInt::New(info.Env(), stat->start);
  return RefusalValue(info.Env(), stat ? ESRCH : stat.error(), "stat");
}

Napi::Value StopValue(Napi::Env env, const QuarantineStop& stopped) {
  return RefusalOrNull(env, stopped.error, stopped.step);
}

// quarantineMove(state, name, entry, manifest): Promise<Refusal | null>
Napi::Value QuarantineMove(const Napi::CallbackInfo& info) {
  const std::span<const std::uint8_t> bytes = BytesArgument(info, 3, "manifest");
  const std::string manifest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return RunAside(
      info,
      [state = StringArgument(info, 0, "state"), name = StringArgument(info, 1, "name"),
       entry = StringArgument(info, 2, "entry"), manifest]() -> AsideValue {
        // It reads the descriptors of every process.
        return [stopped = MoveToQuarantine(state, name, entry, manifest)](Napi::Env env) {
          return StopValue(env, stopped);
        };
      },
      EventLoop::kWaits);
}

// quarantineList(state): Entry[] | Refusal
Napi::Value QuarantineList(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::vector<QuarantineEntry> entries;
  const QuarantineStop stopped = ListQuarantine(StringArgument(info, 0, "state"), entries);
  if (!stopped.ok()) return StopValue(env, stopped);
  return ArrayOf(env, entries, [env](const QuarantineEntry& entry) {
    return ObjectOf(
        env, {{"id", entry.id},
              {"manifest", Napi::Buffer<char>::Copy(env, entry.manifest.data(), entry.manifest.size())},
              {"present", entry.present}});
  });
}

// quarantineRestore(state, entry, name): Refusal | null
Napi::Value QuarantineRestore(const Napi::CallbackInfo& info) {
  return StopValue(info.Env(),
                   RestoreFromQuarantine(StringArgument(info, 0, "state"), StringArgument(info, 1, "entry"),
                                         StringArgument(info, 2, "name")));
}

// quarantinePurge(state, entry): Refusal | null
Napi::Value QuarantinePurge(const Napi::CallbackInfo& info) {
  return StopValue(info.Env(),
                   PurgeFromQuarantine(StringArgument(info, 0, "state"), StringArgument(info, 1, "entry")));
}

}  // namespace

void ExportAct(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "holdProcess", HoldProcess);
  ExportFunction(env, exports, "releaseProcess", ReleaseProcess);
  ExportFunction(env, exports, "hasExited", HasExited);
  ExportFunction(env, exports, "signalHolder", SignalHolder);
  ExportFunction(env, exports, "holderStanding", HolderStanding);
  ExportFunction(env, exports, "socketMaker", SocketMaker);
  ExportFunction(env, exports, "holdsSocket", HoldsSocket);
  ExportFunction(env, exports, "socketListens", SocketListens);
  ExportFunction(env, exports, "socketHolders", SocketHoldersOf);
  ExportFunction(env, exports, "processStart", ProcessStart);
  ExportFunction(env, exports, "quarantineMove", QuarantineMove);
  ExportFunction(env, exports, "quarantineList", QuarantineList);
  ExportFunction(env, exports, "quarantineRestore", QuarantineRestore);
  ExportFunction(env, exports, "quarantinePurge", QuarantinePurge);
}

}  // namespace desk::addon
