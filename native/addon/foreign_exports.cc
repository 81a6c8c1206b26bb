#include <netinet/in.h>

#include <array>
#include <set>
#include <string>

#include "addon/boundary.h"
#include "addon/exports.h"
#include "kernel/derive.h"
#include "probe/foreign_listeners.h"
#include "probe/hidden_pid.h"

namespace desk::addon {
namespace {

constexpr std::int64_t kHighestInode = 0xffff'ffff;

// networkNamespaces(root): NetworkNamespaces | Refusal
Napi::Value ListNamespaces(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Result<NetworkNamespaces> all = ListNetworkNamespaces(RootArgument(info, 0)->fd());
  if (!all) return RefusalValue(env, all.error(), "ns/net");
  const auto other = [env](const NetworkNamespace& one) {
    return ObjectOf(env, {{"inode", one.inode}, {"pids", ArrayOf(env, one.pids)}});
  };
  return ObjectOf(env, {{"own", all->own},
                        {"others", ArrayOf(env, all->others, other)},
                        {"unread", ArrayOf(env, all->unread)}});
}

Napi::Object Listener(Napi::Env env, const ForeignListener& listener) {
  const InetSocket& socket = listener.socket;
  return ObjectOf(
      env,
      {{"protocol", listener.protocol == IPPROTO_UDP ? "udp" : "tcp"},
       {"family", socket.family},
       {"address", Napi::Buffer<std::uint8_t>::Copy(env, socket.source.data(), socket.family == 4 ? 4 : 16)},
       {"port", socket.source_port},
       {"scope", IsLoopback(socket.family, socket.source.data()) ? "loopback" : "public"},
       {"inode", socket.inode},
       {"creatorUid", socket.uid},
       {"holders", ArrayOf(env, listener.holders)}});
}

Napi::Object Process(Napi::Env env, int root, std::int32_t pid) {
  // Of a process that ended meanwhile only the pid is known.
  const Result<PidDescription> about = DescribePid(root, pid);
  return ObjectOf(env, {{"pid", pid},
                        {"start", std::to_string(about->start)},
                        {"comm", TextValue(env, CommOf(about->comm))},
                        {"executable", TextValue(env, about->executable)}});
}

// listenersOf(root, pids, namespace): ForeignListeners | Refusal
Napi::Value Listeners(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  const std::span<const std::int32_t> pids = Int32Argument(info, 1, "pids");
  const auto inode = IntegerArgument<std::uint32_t>(info, 2, "namespace", 1, kHighestInode);
  const Result<ForeignListeners> found = ListenersOf(root->fd(), pids, inode);
  if (!found) return RefusalValue(env, found.error(), "setns");
  std::set<std::int32_t> processes{found->pid};
  for (const ForeignListener& one : found->listeners)
    processes.insert(one.holders.begin(), one.holders.end());
  Napi::Value ephemeral = env.Null();
  if (found->ephemeral) ephemeral = ArrayOf(env, std::array{found->ephemeral->low, found->ephemeral->high});
  const auto process = [&](std::int32_t pid) { return Process(env, root->fd(), pid); };
  const auto listener = [env](const ForeignListener& one) { return Listener(env, one); };
  return ObjectOf(env, {{"pid", found->pid},
                        {"processes", ArrayOf(env, processes, process)},
                        {"ephemeral", ephemeral},
                        {"listeners", ArrayOf(env, found->listeners, listener)},
                        {"refusal", RefusalOrNull(env, found->error, "sock_diag")}});
}

}  // namespace

void ExportForeign(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "networkNamespaces", ListNamespaces);
  ExportFunction(env, exports, "listenersOf", Listeners);
}

}  // namespace desk::addon
