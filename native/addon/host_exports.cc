#include <array>
#include <string>
#include <vector>

#include "addon/aside.h"
#include "addon/boundary.h"
#include "addon/exports.h"
#include "probe/device_nodes.h"
#include "probe/executable_fate.h"
#include "probe/hidden_pid.h"
#include "probe/modules.h"
#include "probe/packet_sockets.h"
#include "probe/preload_file.h"
#include "probe/proc_covers.h"
#include "probe/promiscuous.h"
#include "probe/session_users.h"

namespace desk::addon {
namespace {

Napi::Array Texts(Napi::Env env, const std::vector<std::string>& texts) {
  return ArrayOf(
      env, texts, [env](const std::string& text) { return TextValue(env, text); });
}

Napi::Value Packets(Napi::Env env, const PacketScan& scan) {
  const auto socket = [env](const PacketSocket& one) {
    return ObjectOf(env, {{"inode", one.inode},
                          {"uid", one.uid},
                          {"protocol", one.protocol},
                          {"type", one.type},
                          {"interface", one.interface}});
  };
  const auto holder = [env](const PacketHolder& one) {
    return ObjectOf(
        env, {{"inode", one.inode}, {"pid", one.pid}, {"start", std::to_string(one.start)}, {"fd", one.fd}});
  };
  return ObjectOf(env, {{"sockets", ArrayOf(env, scan.sockets, socket)},
                        {"holders", ArrayOf(env, scan.holders, holder)},
                        {"complete", scan.complete}});
}

struct Covered {
  ProcCover cover;
  // Read past the mount: below it there is another process, or none.
  Result<PidDescription> about;
};

Result<std::vector<Covered>> ReadCovers(Root& root) {
  const auto covers = root.Memory<ProcCovers>().Read();
  if (!covers) return covers.refusal();
  std::vector<Covered> covered;
  for (const ProcCover& cover : *covers) covered.push_back({cover, DescribePid(root.fd(), cover.pid)});
  return covered;
}

Napi::Object CoverValue(Napi::Env env, const Covered& covered) {
  const auto& [cover, about] = covered;
  return ObjectOf(env, {{"pid", cover.pid},
                        {"place", TextValue(env, cover.place)},
                        {"comm", TextValue(env, CommOf(about->comm))},
                        {"executable", TextValue(env, about->executable)},
                        {"start", std::to_string(about->start)}});
}

Napi::Object InterfaceValue(Napi::Env env, const PromiscuousInterface& interface) {
  return ObjectOf(env, {{"name", TextValue(env, interface.name)},
                        {"index", interface.index},
                        {"kind", TextValue(env, interface.kind)}});
}

// host(root, sys, top): Promise<HostResult>
Napi::Value Host(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  const std::string sys = StringArgument(info, 1, "sys");
  const std::string top = StringArgument(info, 2, "top");
  return RunAside(info, [root, sys, top]() -> AsideValue {
    return [preload = ReadPreloadFile(top), packets = root->Memory<PacketSockets>().Read(),
            promiscuous = ListPromiscuous(sys), covers = ReadCovers(*root),
            sessions = ListSessionUsers(top)](Napi::Env env) -> Napi::Value {
      const auto preload_value = [env](const PreloadFile& file) {
        return ObjectOf(env, {{"bytes", file.bytes}, {"libraries", Texts(env, file.libraries)}});
      };
      const auto interface = [env](const PromiscuousInterface& one) { return InterfaceValue(env, one); };
      const auto cover = [env](const Covered& one) { return CoverValue(env, one); };
      const auto array = [env](const auto& make) {
        return [env, make](const auto& items) { return ArrayOf(env, items, make); };
      };
      return ObjectOf(env,
                      {{"preload", ValueOr(env, preload, "ld.so.preload", preload_value)},
                       {"packets", ValueOr(env, packets, "packet",
                                           [env](const PacketScan& scan) { return Packets(env, scan); })},
                       {"promiscuous", ValueOr(env, promiscuous, "interfaces", array(interface))},
                       {"covers", ValueOr(env, covers, "mountinfo", array(cover))},
                       {"sessionUids", ValueOr(env, sessions, "session users",
                                               [env](const auto& uids) { return ArrayOf(env, uids); })}});
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
      return ArrayOf(env, fates, [env, &kNames](const Result<ExecutableFate>& result) {
        return ValueOr(env, result, "exe", [env, &kNames](ExecutableFate fate) {
          return Napi::String::New(env, kNames[static_cast<std::size_t>(fate)]);
        });
      });
    };
  });
}

// kernelTaint(root): bigint | Refusal
Napi::Value KernelTaint(const Napi::CallbackInfo& info) {
  return ValueOr(
      info.Env(), ReadKernelTaint(RootArgument(info, 0)->fd()), "tainted",
      [&info](std::uint64_t bits) { return Napi::BigInt::New(info.Env(), bits); });
}

// moduleViews(root, sys): ModuleViews | Refusal
Napi::Value ModulesSeen(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  return ValueOr(env, ReadModuleViews(root->fd(), StringArgument(info, 1, "sys")), "modules",
                 [env](const ModuleViews& views) {
                   return ObjectOf(env, {{"onlyListed", Texts(env, views.only_listed)},
                                         {"onlyInSys", Texts(env, views.only_in_sys)},
                                         {"both", views.both}});
                 });
}

Napi::Object DevicesValue(Napi::Env env, const DeviceScan& scan) {
  const auto node_value = [env](const StrangeNode& node) {
    return ObjectOf(env, {{"path", TextValue(env, node.path)},
                          {"kind", node.regular ? "regular file" : "unknown device"},
                          {"bytes", node.bytes},
                          {"uid", node.uid},
                          {"mode", node.mode},
                          {"major", node.major},
                          {"minor", node.minor}});
  };
  return ObjectOf(env, {{"strange", ArrayOf(env, scan.strange, node_value)},
                        {"strangeCount", scan.strange_count},
                        {"entries", scan.entries},
                        {"unseen", Texts(env, scan.unseen)},
                        {"cut", scan.cut},
                        {"majors", RefusalOrNull(env, scan.majors_error, "devices")}});
}

// strangeNodes(root, dev): Promise<DeviceScan | Refusal>
Napi::Value StrangeNodes(const Napi::CallbackInfo& info) {
  const std::shared_ptr<Root> root = RootArgument(info, 0);
  const std::string dev = StringArgument(info, 1, "dev");
  return RunAside(info, [root, dev]() -> AsideValue {
    return [scan = FindStrangeNodes(root->fd(), dev)](Napi::Env env) {
      return ValueOr(env, scan, "dev", [env](const DeviceScan& found) { return DevicesValue(env, found); });
    };
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
