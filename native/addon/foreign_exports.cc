#include "addon/foreign_exports.h"

#include <netinet/in.h>

#include <cstring>
#include <set>
#include <string>
#include <string_view>

#include "addon/boundary.h"
#include "core/utf8.h"
#include "kernel/derive.h"
#include "probe/foreign_listeners.h"
#include "probe/hidden_pid.h"

namespace desk::addon {
namespace {

constexpr std::int64_t kHighestInode = 0xffff'ffff;

Napi::Array Pids(Napi::Env env, std::span<const std::int32_t> pids) {
  return ArrayOf(env, pids, [env](std::int32_t pid) { return Napi::Number::New(env, pid); });
}

// networkNamespaces(root): NetworkNamespaces | Refusal
Napi::Value ListNamespaces(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Result<NetworkNamespaces> all = ListNetworkNamespaces(RootArgument(info, 0)->fd());
  if (!all) return RefusalValue(env, all.error(), "ns/net");
  Napi::Object result = Napi::Object::New(env);
  result.Set("own", all->own);
  result.Set("others", ArrayOf(env, all->others, [env](const NetworkNamespace& one) {
               Napi::Object other = Napi::Object::New(env);
               other.Set("inode", one.inode);
               other.Set("pids", Pids(env, one.pids));
               return other;
             }));
  result.Set("unread", Pids(env, all->unread));
  return result;
}

Napi::Object Listener(Napi::Env env, const ForeignListener& listener) {
  const InetSocket& socket = listener.socket;
  Napi::Object one = Napi::Object::New(env);
  one.Set("protocol", listener.protocol == IPPROTO_UDP ? "udp" : "tcp");
  one.Set("family", static_cast<std::uint32_t>(socket.family));
  one.Set("address",
          Napi::Buffer<std::uint8_t>::Copy(env, socket.source.data(), socket.family == 4 ? 4 : 16));
  one.Set("port", static_cast<std::uint32_t>(socket.source_port));
  one.Set("scope", IsLoopback(socket.family, socket.source.data()) ? "loopback" : "public");
  one.Set("inode", socket.inode);
  one.Set("creatorUid", socket.uid);
  one.Set("holders", Pids(env, listener.holders));
  return one;
}

Napi::Object Process(Napi::Env env, int root, std::int32_t pid) {
  // One that ended meanwhile has a number and nothing else.
  const Result<PidDescription> about = DescribePid(root, pid);
  const auto text = [env](std::string_view bytes) {
    std::string lossy;
    AppendLossy(lossy, bytes);
    return Napi::String::New(env, lossy);
  };
  Napi::Object one = Napi::Object::New(env);
  one.Set("pid", pid);
  one.Set("start", std::to_string(about->start));
  one.Set("comm", text({about->comm.data(), ::strnlen(about->comm.data(), about->comm.size())}));
  one.Set("executable", text(about->executable));
  return one;
}

// listenersOf(root, pids, namespace): ForeignListeners | Refusal
Napi::Value Listeners(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  const std::span<const std::int32_t> pids = Int32Argument(info, 1, "pids");
  const auto inode = static_cast<std::uint32_t>(IntegerArgument(info, 2, "namespace", 1, kHighestInode));
  const Result<ForeignListeners> found = ListenersOf(root->fd(), pids, inode);
  if (!found) return RefusalValue(env, found.error(), "setns");
  std::set<std::int32_t> told{found->pid};
  for (const ForeignListener& one : found->listeners) told.insert(one.holders.begin(), one.holders.end());
  Napi::Object result = Napi::Object::New(env);
  result.Set("pid", found->pid);
  result.Set("processes",
             ArrayOf(env, told, [&](std::int32_t pid) { return Process(env, root->fd(), pid); }));
  Napi::Value ephemeral = env.Null();
  if (found->ephemeral) {
    Napi::Array range = Napi::Array::New(env, 2);
    range.Set(0u, static_cast<std::uint32_t>(found->ephemeral->low));
    range.Set(1u, static_cast<std::uint32_t>(found->ephemeral->high));
    ephemeral = range;
  }
  result.Set("ephemeral", ephemeral);
  result.Set("listeners", ArrayOf(env, found->listeners,
                                  [env](const ForeignListener& one) { return Listener(env, one); }));
  result.Set("refusal",
             found->error == 0 ? env.Null() : Napi::Value(RefusalValue(env, found->error, "sock_diag")));
  return result;
}

}  // namespace

void ExportForeign(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "networkNamespaces", ListNamespaces);
  ExportFunction(env, exports, "listenersOf", Listeners);
}

}  // namespace desk::addon
