#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "addon/boundary.h"
#include "addon/exports.h"
#include "kernel/run.h"

namespace desk::addon {
namespace {

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
  source.parameters = IntegerMember(program, "parameters", 0, kernel::kMostOperations);
  EachOf(
      program, "sets",
      [&](const Napi::Value& set) { source.sets.emplace_back(ElementsOf<std::uint64_t>(set, "sets")); });
  EachOf(program, "bitmaps", [&](const Napi::Value& bitmap) {
    source.bitmaps.emplace_back(ElementsOf<std::uint8_t>(bitmap, "bitmaps"));
  });
  source.registers = IntegerMember(program, "registers", 0, kernel::kMostRegisters);
  source.outputs = ElementsOf<std::uint32_t>(program.Get("outputs"), "outputs");
  source.kept = IntegerMember(program, "kept", 0, kernel::kMostOperations);
  try {
    return Napi::Number::New(env,
                             HandlesOf<kernel::Compiled>().Open(std::make_shared<kernel::Compiled>(source)));
  } catch (const std::invalid_argument& error) {
    throw Napi::RangeError::New(env, error.what());
  }
}

// freeBatch(handle): void
void FreeBatch(const Napi::CallbackInfo& info) { CloseArgument<kernel::Compiled>(info, 0, "program"); }

// The arguments of a run, checked against each other and against the program.
struct RunArguments {
  std::shared_ptr<kernel::Compiled> compiled;
  Columns columns;
  kernel::Run run;
  std::vector<std::uint64_t> counts;

  explicit RunArguments(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    compiled = HandleArgument<kernel::Compiled>(info, 0, "program");
    const kernel::Program& program = compiled->program();
    const Table table(info, 1);
    columns = table.columns;
    const auto number = [&](std::size_t index, const char* name, std::uint32_t low, std::uint32_t high) {
      return IntegerArgument<std::uint32_t>(info, index, name, low, high);
    };
    const bool of_processes = program.table() == kernel::Table::kProcesses;
    const auto processes = number(3, "processes", 0, table.capacity.processes);
    run.rows = of_processes ? processes : number(4, "listeners", 0, table.capacity.sockets);
    run.from = number(5, "from", 0, run.rows);
    run.to = number(6, "to", run.from, run.rows);
    if (run.from % 64 != 0 || (run.to % 64 != 0 && run.to != run.rows))
      throw Napi::RangeError::New(env, "from and to must be multiples of 64, or the last row's end");
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
                                           " bytes; the program's bitmaps need " + std::to_string(wanted));
    }
    counts.resize(program.outputs().size());
  }

  Napi::Value Answer(Napi::Env env) const { return TypedCopy<std::uint32_t>(env, counts); }
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
  ExportFunction(env, exports, "compileBatch", CompileBatch);
  ExportFunction(env, exports, "freeBatch", FreeBatch);
  ExportFunction(env, exports, "runBatch", RunBatch);
  ExportFunction(env, exports, "runBatchReference", RunBatchReference);
}

}  // namespace desk::addon
