#include "addon/boundary.h"
#include "addon/exports.h"
#include "bpf/task_sweep.h"
#include "bpf/tracing.h"

namespace desk::addon {
namespace {

// bpfState(): BpfState
Napi::Value State(const Napi::CallbackInfo& info) {
  const bpf::Tracing& tracing = bpf::TheTracing();
  return ObjectOf(info.Env(), {{"available", tracing.tasks != nullptr},
                               {"iterator", tracing.tasks ? tracing.tasks->name() : ""},
                               {"stage", bpf::StageName(tracing.stage)},
                               {"reason", tracing.reason},
                               {"code", tracing.error == 0 ? std::string() : ErrnoName(tracing.error)}});
}

// sweepTasks(root, buffer, capacity, listed): TaskSweep | Refusal
Napi::Value Sweep(const Napi::CallbackInfo& info) {
  const auto root = RootArgument(info, 0);
  const Table table(info, 1);
  const bool listed = BooleanArgument(info, 3, "listed", true);
  return ValueOr(info.Env(), bpf::SweepTasks(*root, table.columns, table.capacity, listed), "bpf iter/task",
                 [&info](const bpf::TaskSweepResult& swept) {
                   return ObjectOf(
                       info.Env(),
                       {{"count", swept.count}, {"tasks", swept.tasks}, {"overflow", swept.overflow}});
                 });
}

// iteratorPids(root, into): number | Refusal
Napi::Value IteratorPids(const Napi::CallbackInfo& info) {
  const auto root = RootArgument(info, 0);
  return ValueOr(info.Env(), bpf::ListTasks(*root, Int32Argument(info, 1, "into")), "bpf iter/task");
}

// forceSeqFile(forced): the name of the iterator in use, "" when there is none.
Napi::Value Force(const Napi::CallbackInfo& info) {
  bpf::ForceSeqFile(BooleanArgument(info, 0, "forced", true));
  const bpf::TaskSource* const source = bpf::TasksInUse();
  return Napi::String::New(info.Env(), source == nullptr ? "" : source->name());
}

}  // namespace

void ExportBpf(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "bpfState", State);
  ExportFunction(env, exports, "forceSeqFile", Force);
  ExportFunction(env, exports, "sweepTasks", Sweep);
  ExportFunction(env, exports, "iteratorPids", IteratorPids);
}

}  // namespace desk::addon
