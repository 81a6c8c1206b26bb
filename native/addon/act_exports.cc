#include "addon/act_exports.h"

#include <algorithm>
#include <climits>
#include <csignal>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "act/held_process.h"
#include "act/listening_socket.h"
#include "act/quarantine.h"
#include "addon/aside.h"
#include "addon/boundary.h"
#include "bpf/maker_table.h"
#include "bpf/task_facts.h"
#include "probe/proc_stat.h"

namespace desk::addon {
namespace {

// Held processes belong to the process, as locks do. Never destroyed: a worker may let go while the process
// ends.
struct HeldRegistry {
  std::mutex mutex;
  std::map<int, std::shared_ptr<HeldProcess>> held;
  int next = 1;
};

HeldRegistry& Processes() {
  static auto* const registry = new HeldRegistry;
  return *registry;
}

std::shared_ptr<HeldProcess> HeldArgument(const Napi::CallbackInfo& info, std::size_t index) {
  const auto handle = static_cast<int>(IntegerArgument(info, index, "held", 1, INT_MAX));
  HeldRegistry& registry = Processes();
  const std::lock_guard guard(registry.mutex);
  const auto found = registry.held.find(handle);
  if (found == registry.held.end()) {
    throw Napi::RangeError::New(info.Env(), "process " + std::to_string(handle) + " is not held");
  }
  return found->second;
}

std::int32_t PidArgument(const Napi::CallbackInfo& info, std::size_t index) {
  return static_cast<std::int32_t>(IntegerArgument(info, index, "pid", 1, INT_MAX));
}

ListeningSocket SocketArgument(const Napi::CallbackInfo& info, std::size_t index) {
  const Napi::Env env = info.Env();
  if (!info[index].IsObject()) {
    throw Napi::TypeError::New(env, "socket must be an object {protocol, family, port, inode}");
  }
  const auto object = info[index].As<Napi::Object>();
  const auto member = [&](const char* name, std::int64_t low, std::int64_t high) {
    return WholeNumber(env, object.Get(name), std::string("socket.") + name, low, high);
  };
  const auto protocol = static_cast<std::uint8_t>(member("protocol", 6, 17));
  if (protocol != 6 && protocol != 17)
    throw Napi::RangeError::New(env, "socket.protocol must be 6 (TCP) or 17 (UDP)");
  const auto family = static_cast<std::uint8_t>(member("family", 4, 6));
  if (family == 5) throw Napi::RangeError::New(env, "socket.family must be 4 or 6");
  return {.protocol = protocol,
          .family = family,
          .port = static_cast<std::uint16_t>(member("port", 1, UINT16_MAX)),
          .inode = static_cast<std::uint32_t>(member("inode", 1, UINT32_MAX))};
}

const char* KinName(Kin kin) {
  switch (kin) {
    case Kin::kNone:
      return "none";
    case Kin::kSelf:
      return "self";
    case Kin::kAncestor:
      return "ancestor";
    case Kin::kDescendant:
      return "descendant";
  }
  return "";
}

const char* SentName(Sent sent) {
  switch (sent) {
    case Sent::kSent:
      return "sent";
    case Sent::kExited:
      return "exited";
    case Sent::kChanged:
      return "changed";
    case Sent::kNotHolding:
      return "not-holding";
    case Sent::kNotListening:
      return "not-listening";
    case Sent::kNotMaker:
      return "not-maker";
    case Sent::kForbidden:
      return "forbidden";
    case Sent::kRefused:
      return "refused";
  }
  return "";
}

const char* StandingName(Standing standing) {
  switch (standing) {
    case Standing::kMaker:
      return "maker";
    case Standing::kSharesMaker:
      return "shares-maker";
    case Standing::kCreatorUid:
      return "creator-uid";
    case Standing::kOther:
      return "other";
  }
  return "";
}

// holdProcess(pid): Held | Refusal
Napi::Value HoldProcess(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::int32_t pid = PidArgument(info, 0);
  Result<HeldProcess> held = HeldProcess::Hold(pid);
  if (!held) return RefusalValue(env, held.error(), "process " + std::to_string(pid));
  const auto shared = std::make_shared<HeldProcess>(std::move(*held));
  HeldRegistry& registry = Processes();
  int handle = 0;
  {
    const std::lock_guard guard(registry.mutex);
    handle = registry.next++;
    registry.held.emplace(handle, shared);
  }
  const ProcessIdentity& identity = shared->identity();
  Napi::Object result = Napi::Object::New(env);
  result.Set("handle", handle);
  result.Set("pid", shared->pid());
  result.Set("ppid", shared->parent());
  result.Set("start", Napi::BigInt::New(env, identity.start));
  result.Set("uid", identity.uid);
  result.Set("euid", identity.euid);
  result.Set("executable",
             Napi::Buffer<char>::Copy(env, identity.executable.data(), identity.executable.size()));
  result.Set("kernelThread", shared->kernel_thread());
  result.Set("ourPidNamespace", shared->our_pid_namespace());
  result.Set("kin", KinName(shared->kin()));
  return result;
}

// releaseProcess(held)
void ReleaseProcess(const Napi::CallbackInfo& info) {
  HeldArgument(info, 0);
  HeldRegistry& registry = Processes();
  const std::lock_guard guard(registry.mutex);
  registry.held.erase(info[0].As<Napi::Number>().Int32Value());
}

// hasExited(held): boolean
Napi::Value HasExited(const Napi::CallbackInfo& info) {
  return Napi::Boolean::New(info.Env(), HeldArgument(info, 0)->HasExited());
}

// signalHolder(held, signal, socket): SignalAnswer
Napi::Value SignalHolder(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::shared_ptr<HeldProcess> held = HeldArgument(info, 0);
  const auto signal = static_cast<int>(IntegerArgument(info, 1, "signal", 1, 64));
  if (signal != SIGTERM && signal != SIGKILL)
    throw Napi::RangeError::New(env, "signal must be 15 (SIGTERM) or 9 (SIGKILL)");
  const SignalResult result = held->Signal(signal, SocketArgument(info, 2));
  Napi::Object answer = Napi::Object::New(env);
  answer.Set("outcome", SentName(result.sent));
  if (result.error == 0) {
    answer.Set("refusal", env.Null());
  } else {
    answer.Set("refusal", RefusalValue(env, result.error, "process " + std::to_string(held->pid())));
  }
  return answer;
}

// holderStanding(pid, inode, creatorUid): Standing | Refusal
Napi::Value HolderStanding(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::int32_t pid = PidArgument(info, 0);
  const auto inode = static_cast<std::uint32_t>(IntegerArgument(info, 1, "inode", 1, UINT32_MAX));
  const auto creator = static_cast<std::uint32_t>(IntegerArgument(info, 2, "creatorUid", 0, UINT32_MAX));
  const Result<HeldProcess> held = HeldProcess::Hold(pid);
  if (!held) return RefusalValue(env, held.error(), "process " + std::to_string(pid));
  return Napi::String::New(env, StandingName(held->StandingTowards(inode, creator)));
}

// socketMaker(inode): SocketMaker | null
Napi::Value SocketMaker(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto inode = static_cast<std::uint32_t>(IntegerArgument(info, 0, "inode", 1, UINT32_MAX));
  const std::optional<bpf::ListenerMaker> maker = bpf::MakerOf(inode);
  if (!maker) return env.Null();
  Napi::Object value = Napi::Object::New(env);
  value.Set("pid", maker->pid);
  value.Set("uid", maker->uid);
  value.Set("start", Napi::BigInt::New(env, bpf::TicksOf(maker->start_ns)));
  return value;
}

// socketListens(socket): boolean | Refusal
Napi::Value SocketListens(const Napi::CallbackInfo& info) {
  const Result<std::optional<std::uint32_t>> creator = ListenerCreator(SocketArgument(info, 0));
  if (!creator) return RefusalValue(info.Env(), creator.error(), "sock_diag");
  return Napi::Boolean::New(info.Env(), creator->has_value());
}

// socketHolders(root, inodes): SocketHolders[] | Refusal
Napi::Value SocketHoldersOf(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  const std::span<const std::uint32_t> inodes = ElementsOf<std::uint32_t>(info[1], "inodes");
  if (!std::ranges::is_sorted(inodes, std::ranges::less_equal())) {
    throw Napi::RangeError::New(env, "inodes must ascend, each once");
  }
  const Result<std::vector<SocketHolders>> found = FindHolders(root->fd(), inodes);
  if (!found) return RefusalValue(env, found.error(), "proc");
  return ArrayOf(env, *found, [env](const SocketHolders& holders) {
    Napi::Object result = Napi::Object::New(env);
    result.Set("pids",
               ArrayOf(env, holders.pids, [env](std::int32_t pid) { return Napi::Number::New(env, pid); }));
    result.Set("unread", holders.unread);
    return result;
  });
}

// processStart(root, pid): bigint | Refusal
Napi::Value ProcessStart(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  const Result<Stat> stat = ReadStat(root->fd(), PidArgument(info, 1));
  if (stat && !(stat->fried() && stat->threads <= 1)) return Napi::BigInt::New(info.Env(), stat->start);
  return RefusalValue(info.Env(), stat ? ESRCH : stat.error(), "stat");
}

Napi::Value StopValue(Napi::Env env, const QuarantineStop& stopped) {
  if (stopped.ok()) return env.Null();
  return RefusalValue(env, stopped.error, stopped.step);
}

// quarantineMove(state, name, entry, manifest): Promise<Refusal | null>
Napi::Value QuarantineMove(const Napi::CallbackInfo& info) {
  const std::span<const std::uint8_t> bytes = BytesArgument(info, 3, "manifest");
  const std::string manifest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return RunAside(
      info,
      [state = StringArgument(info, 0, "state"), name = StringArgument(info, 1, "name"),
       entry = StringArgument(info, 2, "entry"), manifest]() -> AsideValue {
        // It looks through the descriptors of every process.
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
    Napi::Object one = Napi::Object::New(env);
    one.Set("id", entry.id);
    one.Set("manifest", Napi::Buffer<char>::Copy(env, entry.manifest.data(), entry.manifest.size()));
    one.Set("present", entry.present);
    return one;
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
  ExportFunction(env, exports, "socketListens", SocketListens);
  ExportFunction(env, exports, "socketHolders", SocketHoldersOf);
  ExportFunction(env, exports, "processStart", ProcessStart);
  ExportFunction(env, exports, "quarantineMove", QuarantineMove);
  ExportFunction(env, exports, "quarantineList", QuarantineList);
  ExportFunction(env, exports, "quarantineRestore", QuarantineRestore);
  ExportFunction(env, exports, "quarantinePurge", QuarantinePurge);
}

}  // namespace desk::addon
