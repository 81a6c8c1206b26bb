#include <vector>

#include "addon/boundary.h"
#include "addon/exports.h"
#include "bpf/task_sweep.h"
#include "bpf/tracing.h"
#include "probe/owners.h"

namespace desk::addon {
namespace {

constexpr std::int64_t kMostMs = std::int64_t{1} << 53;  // Number.MAX_SAFE_INTEGER + 1

// (root, buffer, capacity, count, listeners, connections, …): the first arguments of all functions here.
struct Target {
  explicit Target(const Napi::CallbackInfo& info)
      : root(RootArgument(info, 0)),
        rows{.capacity = CapacityArgument(info, 2)},
        columns(ColumnsArgument(info, 1, rows.capacity)) {
    rows.count = IntegerArgument<std::uint32_t>(info, 3, "count", 0, rows.capacity.processes);
    rows.listeners = IntegerArgument<std::uint32_t>(info, 4, "listeners", 0, rows.capacity.sockets);
    rows.connections_listed = !info[5].IsNull();
    if (rows.connections_listed)
      rows.connections = IntegerArgument<std::uint32_t>(info, 5, "connections", 0, rows.capacity.sockets);
  }

  std::shared_ptr<Root> root;
  OwnerRows rows;
  Columns columns;
};

// ownersCollect(root, buffer, capacity, count, listeners, connections, nowMs, dirty?, deskPids?):
// OwnersResult
Napi::Value Collect(const Napi::CallbackInfo& info) {
  const Target target(info);
  CollectOptions options{.now_ms = IntegerArgument<double>(info, 6, "nowMs", 0, kMostMs)};
  const auto given = [&info](std::size_t index) {
    return !info[index].IsUndefined() && !info[index].IsNull();
  };
  if (given(7)) options.dirty = Int32Argument(info, 7, "dirty");
  if (given(8)) options.desk = Int32Argument(info, 8, "deskPids");
  const CollectResult collected = target.root->Memory<Owners>().Collect(target.columns, target.rows, options);
  return ObjectOf(info.Env(), {{"holders", collected.holders},
                               {"overflow", collected.overflow},
                               {"unknown", collected.unknown},
                               {"wanted", collected.wanted},
                               {"due", collected.due},
                               {"covered", collected.covered}});
}

// ownersHold(root, nowMs): boolean
Napi::Value Hold(const Napi::CallbackInfo& info) {
  const auto root = RootArgument(info, 0);
  const auto now_ms = IntegerArgument<double>(info, 1, "nowMs", 0, kMostMs);
  return Napi::Boolean::New(info.Env(), root->Memory<Owners>().Hold(now_ms, Owners::Searches::kAll));
}

Napi::Object WalkValue(Napi::Env env, const WalkResult& walked) {
  return ObjectOf(env, {{"walked", walked.walked}, {"found", walked.found}});
}

// ownersWalk(root, buffer, capacity, count, listeners, connections, shard, shards, refresh?, only?):
// WalkResult
Napi::Value Walk(const Napi::CallbackInfo& info) {
  const Target target(info);
  WalkShare share;
  share.shards = IntegerArgument<std::uint32_t>(info, 7, "shards", 1, kMostShards);
  share.shard = IntegerArgument<std::uint32_t>(info, 6, "shard", 0, share.shards - 1);
  share.refresh = BooleanArgument(info, 8, "refresh", false);
  if (!info[9].IsUndefined()) share.only = Int32Argument(info, 9, "only");
  return WalkValue(info.Env(), target.root->Memory<Owners>().Walk(target.columns, target.rows, share));
}

// ownersWalkFiles(root, buffer, capacity, count, listeners, connections): WalkResult | Refusal
Napi::Value WalkFiles(const Napi::CallbackInfo& info) {
  const Target target(info);
  const FileSource source = [](const FileVisit& visit) -> Result<bool> {
    const Result<std::uint32_t> read =
        bpf::ReadSocketFiles([&](const bpf::SocketFile& file) { visit(file.pid, file.fd, file.inode); });
    if (!read) return read.refusal();
    return true;
  };
  const std::vector<std::int32_t> unreported = bpf::UnreportedPids(*target.root);
  const Napi::Env env = info.Env();
  return ValueOr(env,
                 target.root->Memory<Owners>().WalkFiles(target.columns, target.rows, source, unreported),
                 "bpf iter/task_file", [env](const WalkResult& walked) { return WalkValue(env, walked); });
}

}  // namespace

void ExportOwner(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "ownersCollect", Collect);
  ExportFunction(env, exports, "ownersHold", Hold);
  ExportFunction(env, exports, "ownersWalk", Walk);
  ExportFunction(env, exports, "ownersWalkFiles", WalkFiles);
}

}  // namespace desk::addon
