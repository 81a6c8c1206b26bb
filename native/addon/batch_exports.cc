#include "addon/batch_exports.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "addon/boundary.h"
#include "kernel/derive.h"
#include "kernel/programs.h"
#include "kernel/run.h"

namespace desk::addon {
namespace {

constexpr std::int64_t kMostGroups = 64;
constexpr std::size_t kMostPrograms = 64;

Napi::Object ObjectArgument(const Napi::CallbackInfo& info, std::size_t index, const char* name) {
  if (!info[index].IsObject()) {
    throw Napi::TypeError::New(info.Env(), std::string(name) + " must be an object");
  }
  return info[index].As<Napi::Object>();
}

// Calls visit(element) for each element of an array member.
template <class Visit>
void EachOf(const Napi::Object& object, const char* name, Visit&& visit) {
  const Napi::Value value = object.Get(name);
  if (!value.IsArray()) throw Napi::TypeError::New(object.Env(), std::string(name) + " must be an array");
  const auto array = value.As<Napi::Array>();
  for (std::uint32_t at = 0; at < array.Length(); ++at) visit(array.Get(at));
}

std::string TextOf(const Napi::Value& value, const char* name) {
  if (!value.IsString()) throw Napi::TypeError::New(value.Env(), std::string(name) + " must be a string");
  return value.As<Napi::String>().Utf8Value();
}

std::uint32_t Number(const Napi::Object& object, const char* name, std::int64_t low, std::int64_t high) {
  return static_cast<std::uint32_t>(WholeNumber(object.Env(), object.Get(name), name, low, high));
}

std::optional<EphemeralPorts> EphemeralOf(const Napi::Object& options) {
  const Napi::Value value = options.Get("ephemeral");
  if (value.IsNull()) return std::nullopt;
  if (!value.IsArray() || value.As<Napi::Array>().Length() != 2) {
    throw Napi::TypeError::New(options.Env(), "ephemeral must be null or [low, high]");
  }
  const auto port = [&](std::uint32_t at) {
    return static_cast<std::uint16_t>(
        WholeNumber(options.Env(), value.As<Napi::Array>().Get(at), "ephemeral", 0, 65535));
  };
  return EphemeralPorts{port(0), port(1)};
}

Napi::Object TallyValue(Napi::Env env, const Tally& tally) {
  Napi::Object value = Napi::Object::New(env);
  value.Set("processes", tally.processes);
  value.Set("kernelThreads", tally.kernel_threads);
  value.Set("userSpace", tally.wrapped + tally.free + tally.wrap_blind);
  value.Set("wrapped", tally.wrapped);
  value.Set("free", tally.free);
  value.Set("wrapBlind", tally.wrap_blind);
  value.Set("fried", tally.fried);
  value.Set("withoutTty", tally.without_tty);
  value.Set("identities", tally.identities);
  value.Set("descriptorsBlind", tally.descriptors_blind);
  value.Set("blindProcesses", tally.blind_processes);
  value.Set("listeners", tally.listeners);
  Napi::Array hiding = Napi::Array::New(env, tally.hiding.size());
  for (std::uint32_t at = 0; at < tally.hiding.size(); ++at) hiding.Set(at, tally.hiding[at]);
  value.Set("hiding", hiding);
  Napi::Int32Array own = Napi::Int32Array::New(env, tally.own.size());
  std::ranges::copy(tally.own, own.Data());
  value.Set("own", own);
  Napi::Array programs = Napi::Array::New(env, tally.programs.size());
  for (std::uint32_t at = 0; at < tally.programs.size(); ++at) {
    Napi::Int32Array pids = Napi::Int32Array::New(env, tally.programs[at].size());
    std::ranges::copy(tally.programs[at], pids.Data());
    programs.Set(at, pids);
  }
  value.Set("programs", programs);
  return value;
}

// derive(buffer, capacity, {count, listeners, holders, self, ephemeral, sightComplete, groups, programs}):
// Tally
Napi::Value DeriveColumns(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Capacity capacity = CapacityArgument(info, 1);
  const Columns columns = ColumnsArgument(info, 0, capacity);
  const Napi::Object options = ObjectArgument(info, 2, "options");
  DeriveRequest request;
  request.count = Number(options, "count", 0, capacity.processes);
  request.listeners = Number(options, "listeners", 0, capacity.sockets);
  request.self =
      static_cast<std::int32_t>(Number(options, "self", 0, std::numeric_limits<std::int32_t>::max()));
  request.ephemeral = EphemeralOf(options);
  if (!options.Get("sightComplete").IsBoolean()) {
    throw Napi::TypeError::New(env, "sightComplete must be a boolean");
  }
  request.sight_complete = options.Get("sightComplete").As<Napi::Boolean>();
  request.holders = Number(options, "holders", 0, capacity.holders);
  std::vector<std::uint16_t> groups;
  EachOf(options, "groups", [&](const Napi::Value& group) {
    if (groups.size() == kMostGroups) throw Napi::RangeError::New(env, "groups must be at most 64");
    groups.push_back(static_cast<std::uint16_t>(WholeNumber(env, group, "groups", 0, 65535)));
  });
  request.groups = groups;
  std::vector<std::string> programs;
  EachOf(options, "programs", [&](const Napi::Value& program) {
    if (programs.size() == kMostPrograms) throw Napi::RangeError::New(env, "programs must be at most 64");
    programs.push_back(TextOf(program, "programs"));
    if (programs.back().empty()) throw Napi::RangeError::New(env, "programs must not be empty");
  });
  request.programs = programs;
  return TallyValue(env, Derive(columns, capacity, request));
}

// compileBatch(program): number
Napi::Value CompileBatch(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Napi::Object program = ObjectArgument(info, 0, "program");
  kernel::ProgramSource source;
  source.table = TextOf(program.Get("table"), "table");
  EachOf(program, "columns",
         [&](const Napi::Value& name) { source.columns.push_back(TextOf(name, "columns")); });
  source.operations = ElementsOf<std::uint32_t>(program.Get("operations"), "operations");
  source.values = ElementsOf<std::uint64_t>(program.Get("values"), "values");
  source.parameters = Number(program, "parameters", 0, kernel::kMostOperations);
  EachOf(program, "sets",
         [&](const Napi::Value& set) { source.sets.emplace_back(ElementsOf<std::uint64_t>(set, "sets")); });
  EachOf(program, "bitmaps", [&](const Napi::Value& bitmap) {
    source.bitmaps.emplace_back(ElementsOf<std::uint8_t>(bitmap, "bitmaps"));
  });
  source.registers = Number(program, "registers", 0, kernel::kMostRegisters);
  source.outputs = ElementsOf<std::uint32_t>(program.Get("outputs"), "outputs");
  source.kept = Number(program, "kept", 0, kernel::kMostOperations);
  try {
    return Napi::Number::New(env, kernel::Compile(source));
  } catch (const std::invalid_argument& error) {
    throw Napi::RangeError::New(env, error.what());
  }
}

int HandleArgument(const Napi::CallbackInfo& info) {
  return static_cast<int>(IntegerArgument(info, 0, "handle", 0, std::numeric_limits<int>::max()));
}

// freeBatch(handle): void
void FreeBatch(const Napi::CallbackInfo& info) {
  const int handle = HandleArgument(info);
  if (!kernel::Free(handle)) {
    throw Napi::RangeError::New(info.Env(), "program " + std::to_string(handle) + " does not exist");
  }
}

// The arguments of a run, checked against each other and against the program.
struct RunArguments {
  std::shared_ptr<kernel::Compiled> compiled;
  Columns columns;
  kernel::Run run;
  std::vector<std::uint64_t> counts;

  explicit RunArguments(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    const int handle = HandleArgument(info);
    compiled = kernel::FindProgram(handle);
    if (!compiled) throw Napi::RangeError::New(env, "program " + std::to_string(handle) + " does not exist");
    const kernel::Program& program = compiled->program();
    const Capacity capacity = CapacityArgument(info, 2);
    columns = ColumnsArgument(info, 1, capacity);
    const auto number = [&](std::size_t index, const char* name, std::uint32_t low, std::uint32_t high) {
      return static_cast<std::uint32_t>(IntegerArgument(info, index, name, low, high));
    };
    const bool of_processes = program.table() == kernel::Table::kProcesses;
    run.processes = number(3, "processes", 0, capacity.processes);
    run.rows = of_processes ? run.processes : number(4, "listeners", 0, capacity.sockets);
    run.from = number(5, "from", 0, run.rows);
    run.to = number(6, "to", run.from, run.rows);
    if (run.from % 64 != 0 || (run.to % 64 != 0 && run.to != run.rows)) {
      throw Napi::RangeError::New(env, "from and to must be multiples of 64, or the last row's end");
    }
    run.parameters = ElementsOf<std::uint64_t>(info[7], "parameters");
    if (run.parameters.size() < program.parameters()) {
      throw Napi::RangeError::New(env, "the program has " + std::to_string(program.parameters()) +
                                           " parameters, " + std::to_string(run.parameters.size()) +
                                           " were given");
    }
    run.verdicts = ElementsOf<std::uint8_t>(info[8], "verdicts");
    const std::size_t wanted = program.kept() * kernel::BitmapBytes(run.rows);
    if (run.verdicts.size() < wanted) {
      throw Napi::RangeError::New(env, "verdicts holds " + std::to_string(run.verdicts.size()) +
                                           " bytes; the program's bitmaps ask for " + std::to_string(wanted));
    }
    counts.resize(program.outputs().size());
  }

  Napi::Value Answer(Napi::Env env) const {
    Napi::Uint32Array answer = Napi::Uint32Array::New(env, counts.size());
    std::ranges::copy(counts, answer.Data());
    return answer;
  }
};

// runBatch(handle, buffer, capacity, processes, listeners, from, to, parameters, verdicts): Uint32Array
Napi::Value RunBatch(const Napi::CallbackInfo& info) {
  RunArguments arguments(info);
  std::unique_ptr<kernel::Scratch> scratch = arguments.compiled->TakeScratch();
  kernel::RunKernel(arguments.compiled->program(), arguments.columns, arguments.run, *scratch,
                    arguments.counts);
  arguments.compiled->GiveBack(std::move(scratch));
  return arguments.Answer(info.Env());
}

// runBatchReference, with the arguments of runBatch.
Napi::Value RunBatchReference(const Napi::CallbackInfo& info) {
  RunArguments arguments(info);
  kernel::RunReference(arguments.compiled->program(), arguments.columns, arguments.run, arguments.counts);
  return arguments.Answer(info.Env());
}

}  // namespace

void ExportBatch(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "derive", DeriveColumns);
  ExportFunction(env, exports, "compileBatch", CompileBatch);
  ExportFunction(env, exports, "freeBatch", FreeBatch);
  ExportFunction(env, exports, "runBatch", RunBatch);
  ExportFunction(env, exports, "runBatchReference", RunBatchReference);
}

}  // namespace desk::addon
