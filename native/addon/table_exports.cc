#include <memory>
#include <string>
#include <vector>

#include "addon/boundary.h"
#include "addon/exports.h"
#include "kernel/derive.h"
#include "kernel/lookups.h"
#include "table/process_table.h"
#include "table/table_update.h"

namespace desk::addon {
namespace {

constexpr std::size_t kMostGroups = 64;
constexpr std::size_t kMostPrograms = 64;

std::optional<EphemeralPorts> EphemeralOf(const Napi::Object& options) {
  const Napi::Value value = options.Get("ephemeral");
  if (value.IsNull()) return std::nullopt;
  if (!value.IsArray() || value.As<Napi::Array>().Length() != 2)
    throw Napi::TypeError::New(options.Env(), "ephemeral must be null or [low, high]");
  const auto port = [&](std::uint32_t at) {
    return static_cast<std::uint16_t>(
        WholeNumber(options.Env(), value.As<Napi::Array>().Get(at), "ephemeral", 0, kMostPort));
  };
  return EphemeralPorts{port(0), port(1)};
}

Napi::Object TallyValue(Napi::Env env, const Tally& tally) {
  const Totals& totals = tally.totals;
  Napi::Object value = ObjectOf(env, {{"processes", totals.processes},
                                      {"kernelThreads", totals.kernel_threads},
                                      {"userSpace", totals.wrapped + totals.free + totals.wrap_blind},
                                      {"wrapped", totals.wrapped},
                                      {"free", totals.free},
                                      {"wrapBlind", totals.wrap_blind},
                                      {"fried", totals.zombies},
                                      {"withoutTty", totals.without_tty},
                                      {"identities", tally.identities},
                                      {"descriptorsBlind", totals.descriptors_blind},
                                      {"blindProcesses", totals.blind_processes},
                                      {"listeners", tally.listeners}});
  const auto pids = [env](const std::vector<std::int32_t>& of) { return TypedCopy<std::int32_t>(env, of); };
  value.Set("hiding", ArrayOf(env, tally.hiding));
  value.Set("deleted", pids(tally.deleted));
  value.Set("own", pids(tally.own));
  value.Set("programs", ArrayOf(env, tally.programs, pids));
  return value;
}

// {groups, programs, self, …}
TableOptions OptionsOf(const Napi::Object& options) {
  const Napi::Env env = options.Env();
  TableOptions found;
  found.self = IntegerMember<std::int32_t>(options, "self", 0, INT32_MAX);
  EachOf(options, "groups", [&](const Napi::Value& group) {
    if (found.groups.size() == kMostGroups) throw Napi::RangeError::New(env, "groups must be at most 64");
    found.groups.push_back(static_cast<std::uint16_t>(WholeNumber(env, group, "groups", 0, 65535)));
  });
  EachOf(options, "programs", [&](const Napi::Value& program) {
    if (found.programs.size() == kMostPrograms)
      throw Napi::RangeError::New(env, "programs must be at most 64");
    found.programs.push_back(TextOf(program, "programs"));
    if (found.programs.back().empty()) throw Napi::RangeError::New(env, "programs must not be empty");
  });
  return found;
}

// derive(buffer, capacity, {count, listeners, holders, self, ephemeral, sightComplete, groups, programs}):
// Tally. Called by tests only, which compare it with a table that lasts.
Napi::Value DeriveColumns(const Napi::CallbackInfo& info) {
  const Table table(info, 0);
  const Napi::Object options = ObjectArgument(info, 2, "options");
  const TableOptions counted = OptionsOf(options);
  const DeriveRequest request{.count = IntegerMember(options, "count", 0, table.capacity.processes),
                              .listeners = IntegerMember(options, "listeners", 0, table.capacity.sockets),
                              .holders = IntegerMember(options, "holders", 0, table.capacity.holders),
                              .self = counted.self,
                              .ephemeral = EphemeralOf(options),
                              .sight_complete = BooleanMember(options, "sightComplete"),
                              .groups = counted.groups,
                              .programs = counted.programs};
  return TallyValue(info.Env(), Derive(table.columns, table.capacity, request));
}

// {learned, lost}
Identities IdentitiesArgument(const Napi::CallbackInfo& info, std::size_t index) {
  const Napi::Object sets = ObjectArgument(info, index, "identities");
  const auto set = [&sets](const char* name) {
    const auto values = ElementsOf<std::uint64_t>(sets.Get(name), name);
    return std::vector<std::uint64_t>(values.begin(), values.end());
  };
  return {set("learned"), set("lost")};
}

// lookUp(buffer, capacity, count, identities): void
void LookUp(const Napi::CallbackInfo& info) {
  const Table table(info, 0);
  const auto count = IntegerArgument<std::uint32_t>(info, 2, "count", 0, table.capacity.processes);
  LookUpRows(table.columns.processes, count, IdentitiesArgument(info, 3));
}

ProcessTable& TableArgument(const Napi::CallbackInfo& info) {
  return *HandleArgument<ProcessTable>(info, 0, "table");
}

// makeTable({groups, programs, self}): number
Napi::Value Make(const Napi::CallbackInfo& info) {
  auto table = std::make_shared<ProcessTable>(OptionsOf(ObjectArgument(info, 0, "options")));
  return Napi::Number::New(info.Env(), HandlesOf<ProcessTable>().Open(std::move(table)));
}

// freeTable(table): void
void Free(const Napi::CallbackInfo& info) { CloseArgument<ProcessTable>(info, 0, "table"); }

// setIdentities(table, identities): void
void SetIdentities(const Napi::CallbackInfo& info) {
  TableArgument(info).SetIdentities(IdentitiesArgument(info, 1));
}

// adoptRows(table, buffer, capacity, count): number
Napi::Value AdoptRows(const Napi::CallbackInfo& info) {
  ProcessTable& table = TableArgument(info);
  const Table from(info, 1);
  const auto count = IntegerArgument<std::uint32_t>(info, 3, "count", 0, from.capacity.processes);
  return Napi::Number::New(info.Env(), table.Adopt({from.columns, from.capacity}, count));
}

// The table's own capacity: other buffers cannot be brought up to date.
Table OwnBuffer(const Napi::CallbackInfo& info, const ProcessTable& table, std::size_t index) {
  Table own(info, index);
  if (own.capacity != table.capacity())
    throw Napi::RangeError::New(info.Env(), "the capacity is not that of the rows last adopted");
  return own;
}

Besides BesidesOf(const Napi::Object& options) {
  const std::string name = TextOf(options.Get("besides"), "besides");
  if (name == "none") return Besides::kNone;
  if (name == "listed") return Besides::kListed;
  if (name == "walked") return Besides::kWalked;
  throw Napi::RangeError::New(options.Env(), R"(besides must be "none", "listed" or "walked")");
}

// updateRows(table, root, buffer, capacity, dirty, {most, besides, sockets, bpf}): UpdateResult
Napi::Value UpdateRows(const Napi::CallbackInfo& info) {
  ProcessTable& table = TableArgument(info);
  const auto root = RootArgument(info, 1);
  const Table to = OwnBuffer(info, table, 2);
  const Napi::Object options = ObjectArgument(info, 5, "options");
  const UpdateRequest request{.dirty = Int32Argument(info, 4, "dirty"),
                              .most = IntegerMember(options, "most", 0, kMaxProcesses),
                              .besides = BesidesOf(options)};
  const bool sockets = BooleanMember(options, "sockets");
  const RowReader reader = BooleanMember(options, "bpf") ? TaskReader(*root) : ProcReader(*root);
  const UpdateResult result = UpdateTable(table, *root, request, reader);
  if (result.done) table.Publish(to.columns, sockets);
  return ObjectOf(info.Env(), {{"done", result.done},
                               {"fits", result.fits},
                               {"count", table.rows().processes},
                               {"read", result.read},
                               {"ownersDue", table.TakeOwnersDue()}});
}

// joinSockets(table, buffer, capacity, {listeners, connections, holders, ephemeral, sightComplete}): number
Napi::Value JoinSockets(const Napi::CallbackInfo& info) {
  ProcessTable& table = TableArgument(info);
  const Table from = OwnBuffer(info, table, 1);
  const Napi::Object options = ObjectArgument(info, 3, "options");
  TableRows rows{.processes = table.rows().processes,
                 .listeners = IntegerMember(options, "listeners", 0, from.capacity.sockets),
                 .connections = IntegerMember(options, "connections", 0, from.capacity.sockets),
                 .holders = IntegerMember(options, "holders", 0, from.capacity.holders)};
  table.AdoptDescriptors(from.columns);
  rows.listeners = DropTwice(from.columns.listeners, rows.listeners);
  DeriveListeners(
      from.columns, from.capacity,
      {.count = rows.processes,
       .listeners = rows.listeners,
       .holders = rows.holders,
       .ephemeral = EphemeralOf(options),
       .seen = BooleanMember(options, "sightComplete") && table.counts().totals().descriptors_blind == 0});
  table.AdoptSockets(from.columns, rows);
  return Napi::Number::New(info.Env(), rows.listeners);
}

// sameSockets(table, buffer, capacity, listeners, connections | null): boolean
Napi::Value SameSockets(const Napi::CallbackInfo& info) {
  ProcessTable& table = TableArgument(info);
  const Table from = OwnBuffer(info, table, 1);
  const auto listeners = IntegerArgument<std::uint32_t>(info, 3, "listeners", 0, from.capacity.sockets);
  std::optional<std::uint32_t> connections;
  if (!info[4].IsNull())
    connections = IntegerArgument<std::uint32_t>(info, 4, "connections", 0, from.capacity.sockets);
  return Napi::Boolean::New(info.Env(), table.SameSockets(from.columns, listeners, connections));
}

// changedPids(table): Int32Array
Napi::Value ChangedPids(const Napi::CallbackInfo& info) {
  return TypedCopy<std::int32_t>(info.Env(), TableArgument(info).TakeChanged());
}

// tableBytes(table): number
Napi::Value BytesOfTable(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(TableArgument(info).Bytes()));
}

// tallyOf(table): Tally
Napi::Value TallyOfTable(const Napi::CallbackInfo& info) {
  const ProcessTable& table = TableArgument(info);
  return TallyValue(
      info.Env(), TallyOf(table.counts(), table.rows().listeners, {table.own().begin(), table.own().end()}));
}

}  // namespace

void ExportTable(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "derive", DeriveColumns);
  ExportFunction(env, exports, "lookUp", LookUp);
  ExportFunction(env, exports, "makeTable", Make);
  ExportFunction(env, exports, "freeTable", Free);
  ExportFunction(env, exports, "setIdentities", SetIdentities);
  ExportFunction(env, exports, "adoptRows", AdoptRows);
  ExportFunction(env, exports, "updateRows", UpdateRows);
  ExportFunction(env, exports, "joinSockets", JoinSockets);
  ExportFunction(env, exports, "sameSockets", SameSockets);
  ExportFunction(env, exports, "changedPids", ChangedPids);
  ExportFunction(env, exports, "tallyOf", TallyOfTable);
  ExportFunction(env, exports, "tableBytes", BytesOfTable);
}

}  // namespace desk::addon
