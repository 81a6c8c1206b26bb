#include "addon/host_exports.h"

#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "addon/aside.h"
#include "addon/boundary.h"
#include "core/utf8.h"
#include "probe/device_nodes.h"
#include "probe/executable_fate.h"
#include "probe/hidden_pid.h"
#include "probe/kernel_taint.h"
#include "probe/modules.h"
#include "probe/packet_sockets.h"
#include "probe/preload_file.h"
#include "probe/proc_covers.h"
#include "probe/promiscuous.h"
#include "probe/session_users.h"

namespace desk::addon {
namespace {

// Bytes of the kernel as text, lossy.
Napi::String Text(Napi::Env env, std::string_view bytes) {
  std::string text;
  AppendLossy(text, bytes);
  return Napi::String::New(env, text);
}

Napi::Array Texts(Napi::Env env, const std::vector<std::string>& texts) {
  return ArrayOf(env, texts, [env](const std::string& text) { return Text(env, text); });
}

Napi::Value Preload(Napi::Env env, const Result<PreloadFile>& file) {
  if (!file) return RefusalValue(env, file.error(), "ld.so.preload");
  Napi::Object result = Napi::Object::New(env);
  result.Set("bytes", file->bytes);
  result.Set("libraries", Texts(env, file->libraries));
  return result;
}

Napi::Value Packets(Napi::Env env, const Result<PacketLook>& look) {
  if (!look) return RefusalValue(env, look.error(), "packet");
  Napi::Object result = Napi::Object::New(env);
  result.Set("sockets", ArrayOf(env, look->sockets, [env](const PacketSocket& socket) {
               Napi::Object one = Napi::Object::New(env);
               one.Set("inode", socket.inode);
               one.Set("uid", socket.uid);
               one.Set("protocol", static_cast<std::uint32_t>(socket.protocol));
               one.Set("type", static_cast<std::uint32_t>(socket.type));
               one.Set("interface", socket.interface);
               return one;
             }));
  result.Set("holders", ArrayOf(env, look->holders, [env](const PacketHolder& holder) {
               Napi::Object one = Napi::Object::New(env);
               one.Set("inode", holder.inode);
               one.Set("pid", holder.pid);
               one.Set("start", std::to_string(holder.start));
               one.Set("fd", holder.fd);
               return one;
             }));
  result.Set("complete", look->complete);
  return result;
}

Napi::Value Promiscuous(Napi::Env env, const Result<std::vector<PromiscuousInterface>>& found) {
  if (!found) return RefusalValue(env, found.error(), "interfaces");
  return ArrayOf(env, *found, [env](const PromiscuousInterface& interface) {
    Napi::Object one = Napi::Object::New(env);
    one.Set("name", Text(env, interface.name));
    one.Set("index", interface.index);
    one.Set("kind", Text(env, interface.kind));
    return one;
  });
}

struct Covered {
  ProcCover cover;
  // Asked around the mount: what lies under it tells of another process, or of none.
  Result<PidDescription> about;
};

Result<std::vector<Covered>> ReadCovers(Root& root) {
  const auto covers = root.Memory<ProcCovers>().Look();
  if (!covers) return covers.refusal();
  std::vector<Covered> covered;
  for (const ProcCover& cover : *covers) covered.push_back({cover, DescribePid(root.fd(), cover.pid)});
  return covered;
}

Napi::Value Covers(Napi::Env env, const Result<std::vector<Covered>>& covers) {
  if (!covers) return RefusalValue(env, covers.error(), "mountinfo");
  return ArrayOf(env, *covers, [env](const Covered& covered) {
    const auto& [cover, about] = covered;
    Napi::Object one = Napi::Object::New(env);
    one.Set("pid", cover.pid);
    one.Set("place", Text(env, cover.place));
    const auto& comm = about->comm;
    one.Set("comm", Text(env, {comm.data(), ::strnlen(comm.data(), comm.size())}));
    one.Set("executable", Text(env, about->executable));
    one.Set("start", std::to_string(about->start));
    return one;
  });
}

Napi::Value SessionUsers(Napi::Env env, const Result<std::vector<std::int32_t>>& uids) {
  if (!uids) return RefusalValue(env, uids.error(), "session users");
  return ArrayOf(env, *uids, [env](std::int32_t uid) { return Napi::Number::New(env, uid); });
}

// host(root, sys, top): Promise<HostResult>
Napi::Value Host(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  const std::string sys = StringArgument(info, 1, "sys");
  const std::string top = StringArgument(info, 2, "top");
  return RunAside(info, [root, sys, top]() -> AsideValue {
    return [preload = ReadPreloadFile(top), packets = root->Memory<PacketSockets>().Look(),
            promiscuous = ListPromiscuous(sys), covers = ReadCovers(*root),
            sessions = ListSessionUsers(top)](Napi::Env env) -> Napi::Value {
      Napi::Object result = Napi::Object::New(env);
      result.Set("preload", Preload(env, preload));
      result.Set("packets", Packets(env, packets));
      result.Set("promiscuous", Promiscuous(env, promiscuous));
      result.Set("covers", Covers(env, covers));
      result.Set("sessionUids", SessionUsers(env, sessions));
      return result;
    };
  });
}

// executableFates(root, pids): Promise<(ExecutableFate | Refusal)[]>
Napi::Value ExecutableFates(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  const std::span<const std::int32_t> given = Int32Argument(info, 1, "pids");
  const std::vector<std::int32_t> pids(given.begin(), given.end());
  return RunAside(info, [root, pids]() -> AsideValue {
    std::vector<Result<ExecutableFate>> fates;
    fates.reserve(pids.size());
    for (const std::int32_t pid : pids) fates.push_back(FateOfExecutable(root->fd(), pid));
    return [fates](Napi::Env env) -> Napi::Value {
      constexpr std::array kNames{"unlinked", "linked", "replaced", "own name"};
      return ArrayOf(env, fates, [env, kNames](const Result<ExecutableFate>& fate) -> Napi::Value {
        if (!fate) return RefusalValue(env, fate.error(), "exe");
        return Napi::String::New(env, kNames[static_cast<std::size_t>(*fate)]);
      });
    };
  });
}

// kernelTaint(root): bigint | Refusal
Napi::Value KernelTaint(const Napi::CallbackInfo& info) {
  const Result<std::uint64_t> bits = ReadKernelTaint(RootArgument(info, 0)->fd());
  if (!bits) return RefusalValue(info.Env(), bits.error(), "tainted");
  return Napi::BigInt::New(info.Env(), *bits);
}

// moduleViews(root, sys): ModuleViews | Refusal
Napi::Value ModulesSeen(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  const Result<ModuleViews> views = ReadModuleViews(root->fd(), StringArgument(info, 1, "sys"));
  if (!views) return RefusalValue(env, views.error(), "modules");
  Napi::Object result = Napi::Object::New(env);
  result.Set("onlyListed", Texts(env, views->only_listed));
  result.Set("onlyInSys", Texts(env, views->only_in_sys));
  result.Set("both", views->both);
  return result;
}

Napi::Value Devices(Napi::Env env, const Result<DeviceLook>& look) {
  if (!look) return RefusalValue(env, look.error(), "dev");
  Napi::Object result = Napi::Object::New(env);
  result.Set("strange", ArrayOf(env, look->strange, [env](const StrangeNode& node) {
               Napi::Object one = Napi::Object::New(env);
               one.Set("path", Text(env, node.path));
               one.Set("kind", node.regular ? "regular file" : "unknown device");
               one.Set("bytes", static_cast<double>(node.bytes));
               one.Set("uid", node.uid);
               one.Set("mode", node.mode);
               one.Set("major", node.major);
               one.Set("minor", node.minor);
               return one;
             }));
  result.Set("strangeCount", look->strange_count);
  result.Set("entries", look->entries);
  result.Set("unseen", Texts(env, look->unseen));
  result.Set("cut", look->cut);
  result.Set("majors", look->majors_error == 0
                           ? env.Null()
                           : Napi::Value(RefusalValue(env, look->majors_error, "devices")));
  return result;
}

// strangeNodes(root, dev): Promise<DeviceLook | Refusal>
Napi::Value StrangeNodes(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  const std::string dev = StringArgument(info, 1, "dev");
  return RunAside(info, [root, dev]() -> AsideValue {
    return [look = FindStrangeNodes(root->fd(), dev)](Napi::Env env) { return Devices(env, look); };
  });
}

}  // namespace

void ExportHost(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "host", Host);
  ExportFunction(env, exports, "executableFates", ExecutableFates);
  ExportFunction(env, exports, "kernelTaint", KernelTaint);
  ExportFunction(env, exports, "moduleViews", ModulesSeen);
  ExportFunction(env, exports, "strangeNodes", StrangeNodes);
}

}  // namespace desk::addon
