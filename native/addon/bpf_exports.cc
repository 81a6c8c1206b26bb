#include "addon/bpf_exports.h"

#include "addon/boundary.h"
#include "bpf/task_sweep.h"
#include "bpf/tracing.h"

namespace desk::addon {
namespace {

// bpfState(): BpfState
Napi::Value State(const Napi::CallbackInfo& info) {
  const bpf::Tracing& tracing = bpf::TheTracing();
  Napi::Object state = Napi::Object::New(info.Env());
  state.Set("available", tracing.tasks.has_value());
  state.Set("stage", bpf::StageName(tracing.stage));
  state.Set("reason", tracing.reason);
  state.Set("code", tracing.error == 0 ? std::string() : ErrnoName(tracing.error));
  return state;
}

// sweepTasks(root, buffer, capacity, listed): TaskSweep | Refusal
Napi::Value Sweep(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto root = RootArgument(info, 0);
  const Capacity capacity = CapacityArgument(info, 2);
  const Columns columns = ColumnsArgument(info, 1, capacity);
  const bool listed = BooleanArgument(info, 3, "listed", true);
  const Result<bpf::TaskSweepResult> swept = bpf::SweepTasks(*root, columns, capacity, listed);
  if (!swept) return RefusalValue(env, swept.error(), "bpf iter/task");
  Napi::Object result = Napi::Object::New(env);
  result.Set("count", swept->count);
  result.Set("tasks", swept->tasks);
  result.Set("overflow", swept->overflow);
  return result;
}

// iteratorPids(root, into): number | Refusal
Napi::Value IteratorPids(const Napi::CallbackInfo& info) {
  const auto root = RootArgument(info, 0);
  const Result<std::uint32_t> count = bpf::ListTasks(*root, Int32Argument(info, 1, "into"));
  if (!count) return RefusalValue(info.Env(), count.error(), "bpf iter/task");
  return Napi::Number::New(info.Env(), *count);
}

}  // namespace

void ExportBpf(Napi::Env env, Napi::Object exports) {
  ExportFunction(env, exports, "bpfState", State);
  ExportFunction(env, exports, "sweepTasks", Sweep);
  ExportFunction(env, exports, "iteratorPids", IteratorPids);
}

}  // namespace desk::addon
