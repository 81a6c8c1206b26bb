#include "addon/boundary.h"
#include "addon/exports.h"
#include "core/identity.h"
#include "core/siphash.h"
#include "probe/proc_pids.h"
#include "probe/proc_reference.h"
#include "probe/proc_row.h"
#include "probe/proc_sweep.h"

namespace desk::addon {
namespace {

// openRoot(path): number | Refusal
Napi::Value Open(const Napi::CallbackInfo& info) {
  const std::string path = StringArgument(info, 0, "path");
  return ValueOr(info.Env(), OpenRoot(path), path);
}

// closeRoot(root): void
void Close(const Napi::CallbackInfo& info) { CloseArgument<Root>(info, 0, "root"); }

// reference(root): Reference
Napi::Value ReferenceOf(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Reference reference = ReadReference(*RootArgument(info, 0));
  return ObjectOf(env, {{"source", SourceName(reference.source)},
                        {"nsUser", reference.ns_user},
                        {"nsPid", reference.ns_pid},
                        {"nsMnt", reference.ns_mnt},
                        {"nsNet", reference.ns_net},
                        {"capBnd", Napi::BigInt::New(env, reference.cap_bnd)}});
}

// listProcesses(root, buffer, capacity): number | Refusal
Napi::Value List(const Napi::CallbackInfo& info) {
  const auto root = RootArgument(info, 0);
  const Table table(info, 1);
  const std::span pids(table.columns.processes.pid, table.capacity.processes);
  return ValueOr(info.Env(), ListPids(root->fd(), pids), root->path());
}

// (…, buffer, capacity, count, shard, shards) from argument `index` on.
struct Shard : Table {
  Shard(const Napi::CallbackInfo& info, std::size_t index)
      : Table(info, index), request{.capacity = capacity} {
    request.count = IntegerArgument<std::uint32_t>(info, index + 2, "count", 0, capacity.processes);
    request.shards = IntegerArgument<std::uint32_t>(info, index + 4, "shards", 1, kMostShards);
    request.shard = IntegerArgument<std::uint32_t>(info, index + 3, "shard", 0, request.shards - 1);
  }
  SweepRequest request;
};

// sweepShard(root, buffer, capacity, count, shard, shards): ShardResult
Napi::Value Sweep(const Napi::CallbackInfo& info) {
  const auto root = RootArgument(info, 0);
  const Shard shard(info, 1);
  const bool fits = SweepShard(*root, shard.columns, shard.request);
  return ObjectOf(info.Env(), {{"overflow", !fits}});
}

// rereadRows(root, buffer, capacity, count, shard, shards): RereadResult
Napi::Value Reread(const Napi::CallbackInfo& info) {
  const auto root = RootArgument(info, 0);
  const Shard shard(info, 1);
  const RereadResult reread = RereadShard(*root, shard.columns, shard.request);
  return ObjectOf(info.Env(),
                  {{"read", reread.read}, {"gone", reread.gone}, {"incomplete", reread.incomplete}});
}

// hashIdentity(bytes): bigint
Napi::Value Hash(const Napi::CallbackInfo& info) {
  return Napi::BigInt::New(info.Env(), HashIdentity(BytesArgument(info, 0, "bytes")));
}

// identityOf(buffer, capacity, row): Uint8Array, empty for a row without identity
Napi::Value IdentityOf(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Table table(info, 0);
  const std::uint32_t processes = table.capacity.processes;
  if (processes == 0) throw Napi::RangeError::New(env, "row is outside a table of no rows");
  const auto row = IntegerArgument<std::uint32_t>(info, 2, "row", 0, processes - 1);
  const ProcessView& rows = table.columns.processes;
  std::string text;
  if (rows.identity[row] != 0) {
    const std::uint32_t offset = rows.exe_offset[row];
    const std::uint32_t length = rows.exe_length[row];
    // JavaScript can write to the columns: their offsets are checked like any argument.
    if (offset > table.capacity.text || length > table.capacity.text - offset)
      throw Napi::RangeError::New(env, "the executable of the row lies outside the text arena");
    const ProcRow facts(rows, row);
    BuildIdentity({.executable = {reinterpret_cast<const char*>(table.columns.text) + offset, length},
                   .comm = facts.comm(),
                   .uid = facts.uid(),
                   .container = facts.container()},
                  text);
  }
  return TypedCopy<std::uint8_t>(env, text);
}

}  // namespace

void ExportSweep(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "openRoot", Open);
  ExportFunction(env, exports, "closeRoot", Close);
  ExportFunction(env, exports, "reference", ReferenceOf);
  ExportFunction(env, exports, "listProcesses", List);
  ExportFunction(env, exports, "sweepShard", Sweep);
  ExportFunction(env, exports, "rereadRows", Reread);
  ExportFunction(env, exports, "hashIdentity", Hash);
  ExportFunction(env, exports, "identityOf", IdentityOf);
}

}  // namespace desk::addon
