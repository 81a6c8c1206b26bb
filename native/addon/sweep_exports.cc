#include "addon/sweep_exports.h"

#include <limits>

#include "addon/boundary.h"
#include "core/identity.h"
#include "core/siphash.h"
#include "probe/proc_carry.h"
#include "probe/proc_pids.h"
#include "probe/proc_reference.h"
#include "probe/proc_row.h"
#include "probe/proc_sweep.h"

namespace desk::addon {
namespace {

// openRoot(path): number | Refusal
Napi::Value Open(const Napi::CallbackInfo& info) {
  const std::string path = StringArgument(info, 0, "path");
  const Result<int> handle = OpenRoot(path);
  if (!handle) return RefusalValue(info.Env(), handle.error(), path);
  return Napi::Number::New(info.Env(), *handle);
}

// closeRoot(root): void
void Close(const Napi::CallbackInfo& info) {
  const auto handle = static_cast<int>(IntegerArgument(info, 0, "root", 0, std::numeric_limits<int>::max()));
  if (!CloseRoot(handle))
    throw Napi::RangeError::New(info.Env(), "root " + std::to_string(handle) + " is not open");
}

// reference(root): Reference
Napi::Value ReferenceOf(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Reference reference = ReadReference(*RootArgument(info, 0));
  Napi::Object value = Napi::Object::New(env);
  value.Set("source", SourceName(reference.source));
  value.Set("nsUser", reference.ns_user);
  value.Set("nsPid", reference.ns_pid);
  value.Set("nsMnt", reference.ns_mnt);
  value.Set("nsNet", reference.ns_net);
  value.Set("capBnd", Napi::BigInt::New(env, reference.cap_bnd));
  return value;
}

// listProcesses(root, buffer, capacity): number | Refusal
Napi::Value List(const Napi::CallbackInfo& info) {
  const auto root = RootArgument(info, 0);
  const Capacity capacity = CapacityArgument(info, 2);
  const Columns columns = ColumnsArgument(info, 1, capacity);
  const Result<std::uint32_t> count = ListPids(root->fd(), {columns.processes.pid, capacity.processes});
  if (!count) return RefusalValue(info.Env(), count.error(), root->path());
  return Napi::Number::New(info.Env(), *count);
}

std::uint32_t NumberArgument(const Napi::CallbackInfo& info, std::size_t index, const char* name,
                             std::int64_t low, std::int64_t high) {
  return static_cast<std::uint32_t>(IntegerArgument(info, index, name, low, high));
}

// (…, count, shard, shards) from argument `index` on.
SweepRequest ShardArguments(const Napi::CallbackInfo& info, std::size_t index, const Capacity& capacity) {
  SweepRequest request{.capacity = capacity};
  request.count = NumberArgument(info, index, "count", 0, capacity.processes);
  request.shards = NumberArgument(info, index + 2, "shards", 1, kMostShards);
  request.shard = NumberArgument(info, index + 1, "shard", 0, request.shards - 1);
  return request;
}

// sweepShard(root, buffer, capacity, count, shard, shards): ShardResult
Napi::Value Sweep(const Napi::CallbackInfo& info) {
  const auto root = RootArgument(info, 0);
  const Capacity capacity = CapacityArgument(info, 2);
  const Columns columns = ColumnsArgument(info, 1, capacity);
  const bool fits = SweepShard(*root, columns, ShardArguments(info, 3, capacity));
  Napi::Object result = Napi::Object::New(info.Env());
  result.Set("overflow", !fits);
  return result;
}

// rereadRows(root, buffer, capacity, count, shard, shards): RereadResult
Napi::Value Reread(const Napi::CallbackInfo& info) {
  const auto root = RootArgument(info, 0);
  const Capacity capacity = CapacityArgument(info, 2);
  const Columns columns = ColumnsArgument(info, 1, capacity);
  const RereadResult reread = RereadShard(*root, columns, ShardArguments(info, 3, capacity));
  Napi::Object result = Napi::Object::New(info.Env());
  result.Set("read", reread.read);
  result.Set("gone", reread.gone);
  result.Set("incomplete", reread.incomplete);
  return result;
}

// carryRows(root, from, to, capacity, count, dirty, listed?): CarryResult
Napi::Value Carry(const Napi::CallbackInfo& info) {
  const auto root = RootArgument(info, 0);
  const Capacity capacity = CapacityArgument(info, 3);
  const Columns from = ColumnsArgument(info, 1, capacity);
  const Columns to = ColumnsArgument(info, 2, capacity);
  if (from.text == to.text) throw Napi::RangeError::New(info.Env(), "from and to must be two buffers");
  const CarryResult carried = CarryRows(*root, from, to,
                                        {.capacity = capacity,
                                         .count = NumberArgument(info, 4, "count", 0, capacity.processes),
                                         .dirty = Int32Argument(info, 5, "dirty"),
                                         .listed = BooleanArgument(info, 6, "listed", false)});
  Napi::Object result = Napi::Object::New(info.Env());
  result.Set("count", carried.count);
  result.Set("filled", carried.filled);
  result.Set("overflow", carried.overflow);
  return result;
}

// hashIdentity(bytes): bigint
Napi::Value Hash(const Napi::CallbackInfo& info) {
  return Napi::BigInt::New(info.Env(), HashIdentity(BytesArgument(info, 0, "bytes")));
}

// identityOf(buffer, capacity, row): Uint8Array, empty for a row without identity
Napi::Value IdentityOf(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Capacity capacity = CapacityArgument(info, 1);
  const Columns columns = ColumnsArgument(info, 0, capacity);
  if (capacity.processes == 0) throw Napi::RangeError::New(env, "row is outside a table of no rows");
  const auto row = static_cast<std::uint32_t>(IntegerArgument(info, 2, "row", 0, capacity.processes - 1));
  const ProcessView& rows = columns.processes;
  std::string text;
  if (rows.identity[row] != 0) {
    const std::uint32_t offset = rows.exe_offset[row];
    const std::uint32_t length = rows.exe_length[row];
    // The columns are writable from JavaScript: what they point at is checked like any argument.
    if (offset > capacity.text || length > capacity.text - offset) {
      throw Napi::RangeError::New(env, "the executable of the row lies outside the text arena");
    }
    const ProcRow facts(rows, row);
    BuildIdentity({.executable = {reinterpret_cast<const char*>(columns.text) + offset, length},
                   .comm = facts.comm(),
                   .uid = facts.uid(),
                   .container = facts.container()},
                  text);
  }
  Napi::Uint8Array bytes = Napi::Uint8Array::New(env, text.size());
  std::copy(text.begin(), text.end(), bytes.Data());
  return bytes;
}

}  // namespace

void ExportSweep(Napi::Env env, Napi::Object exports) {
  ExportFunction(env, exports, "openRoot", Open);
  ExportFunction(env, exports, "closeRoot", Close);
  ExportFunction(env, exports, "reference", ReferenceOf);
  ExportFunction(env, exports, "listProcesses", List);
  ExportFunction(env, exports, "sweepShard", Sweep);
  ExportFunction(env, exports, "rereadRows", Reread);
  ExportFunction(env, exports, "carryRows", Carry);
  ExportFunction(env, exports, "hashIdentity", Hash);
  ExportFunction(env, exports, "identityOf", IdentityOf);
}

}  // namespace desk::addon
