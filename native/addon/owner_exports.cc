#include "addon/owner_exports.h"

#include <vector>

#include "addon/boundary.h"
#include "bpf/file_iterator.h"
#include "bpf/task_sweep.h"
#include "probe/owners.h"

namespace desk::addon {
namespace {

constexpr std::int64_t kMostMs = std::int64_t{1} << 53;  // Number.MAX_SAFE_INTEGER + 1

// (root, buffer, capacity, count, listeners, connections, …), which all functions here start with.
struct Target {
  explicit Target(const Napi::CallbackInfo& info)
      : root(RootArgument(info, 0)),
        rows{.capacity = CapacityArgument(info, 2)},
        columns(ColumnsArgument(info, 1, rows.capacity)) {
    const auto number = [&info](std::size_t index, const char* name, std::uint32_t most) {
      return static_cast<std::uint32_t>(IntegerArgument(info, index, name, 0, most));
    };
    rows.count = number(3, "count", rows.capacity.processes);
    rows.listeners = number(4, "listeners", rows.capacity.sockets);
    rows.connections = number(5, "connections", rows.capacity.sockets);
  }

  std::shared_ptr<Root> root;
  OwnerRows rows;
  Columns columns;
};

// ownersCollect(root, buffer, capacity, count, listeners, connections, nowMs, dirty?, deskPids?):
// OwnersResult
Napi::Value Collect(const Napi::CallbackInfo& info) {
  const Target target(info);
  CollectOptions options{.now_ms = static_cast<double>(IntegerArgument(info, 6, "nowMs", 0, kMostMs))};
  const auto given = [&info](std::size_t index) {
    return !info[index].IsUndefined() && !info[index].IsNull();
  };
  if (given(7)) options.dirty = Int32Argument(info, 7, "dirty");
  if (given(8)) options.desk = Int32Argument(info, 8, "deskPids");
  const CollectResult collected = target.root->Memory<Owners>().Collect(target.columns, target.rows, options);
  Napi::Object result = Napi::Object::New(info.Env());
  result.Set("holders", collected.holders);
  result.Set("overflow", collected.overflow);
  result.Set("unknown", collected.unknown);
  result.Set("wanted", collected.wanted);
  result.Set("due", collected.due);
  result.Set("covered", collected.covered);
  return result;
}

Napi::Object WalkValue(Napi::Env env, const WalkResult& walked) {
  Napi::Object result = Napi::Object::New(env);
  result.Set("walked", walked.walked);
  result.Set("found", walked.found);
  return result;
}

// ownersWalk(root, buffer, capacity, count, listeners, connections, shard, shards, refresh?, only?):
// WalkResult
Napi::Value Walk(const Napi::CallbackInfo& info) {
  const Target target(info);
  WalkShare share;
  share.shards = static_cast<std::uint32_t>(IntegerArgument(info, 7, "shards", 1, kMostShards));
  share.shard = static_cast<std::uint32_t>(IntegerArgument(info, 6, "shard", 0, share.shards - 1));
  share.refresh = BooleanArgument(info, 8, "refresh", false);
  if (!info[9].IsUndefined()) share.only = Int32Argument(info, 9, "only");
  return WalkValue(info.Env(), target.root->Memory<Owners>().Walk(target.columns, target.rows, share));
}

// ownersWalkFiles(root, buffer, capacity, count, listeners, connections): WalkResult | Refusal
Napi::Value WalkFiles(const Napi::CallbackInfo& info) {
  const Target target(info);
  const FileSource source = [](const FileVisit& visit) -> Result<bool> {
    const Result<std::uint32_t> told =
        bpf::ReadSocketFiles([&](const bpf::SocketFile& file) { visit(file.pid, file.fd, file.inode); });
    if (!told) return told.refusal();
    return true;
  };
  const std::vector<std::int32_t> untold = bpf::UntoldPids(*target.root);
  const Result<WalkResult> walked =
      target.root->Memory<Owners>().WalkFiles(target.columns, target.rows, source, untold);
  if (!walked) return RefusalValue(info.Env(), walked.error(), "bpf iter/task_file");
  return WalkValue(info.Env(), *walked);
}

}  // namespace

void ExportOwner(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "ownersCollect", Collect);
  ExportFunction(env, exports, "ownersWalk", Walk);
  ExportFunction(env, exports, "ownersWalkFiles", WalkFiles);
}

}  // namespace desk::addon
