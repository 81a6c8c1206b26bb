// The addon's front door: names the build, tells the layout, and hangs up the exports of each part.
#include <napi.h>

#include <atomic>
#include <string>

#include "addon/act_exports.h"
#include "addon/batch_exports.h"
#include "addon/boundary.h"
#include "addon/bpf_exports.h"
#include "addon/foreign_exports.h"
#include "addon/hidden_exports.h"
#include "addon/host_exports.h"
#include "addon/lock_exports.h"
#include "addon/machine_exports.h"
#include "addon/mail_exports.h"
#include "addon/owner_exports.h"
#include "addon/privilege_exports.h"
#include "addon/signal_exports.h"
#include "addon/socket_exports.h"
#include "addon/sweep_exports.h"
#include "addon/watch_exports.h"
#include "core/columns.h"

namespace desk::addon {
namespace {

template <class T>
constexpr const char* TypeName() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return "u8";
  if constexpr (std::is_same_v<T, std::uint16_t>) return "u16";
  if constexpr (std::is_same_v<T, std::uint32_t>) return "u32";
  if constexpr (std::is_same_v<T, std::uint64_t>) return "u64";
  if constexpr (std::is_same_v<T, std::int32_t>) return "i32";
}

Napi::Object ColumnSpec(Napi::Env env, std::string_view name, const char* type, std::uint64_t offset,
                        std::uint64_t length) {
  Napi::Object spec = Napi::Object::New(env);
  spec.Set("name", Napi::String::New(env, name.data(), name.size()));
  spec.Set("type", type);
  spec.Set("offset", static_cast<double>(offset));
  spec.Set("length", static_cast<double>(length));
  return spec;
}

template <class Table>
Napi::Array TableSpec(Napi::Env env, const Table& table, std::uint64_t rows, Cursor& cursor) {
  Napi::Array specs = Napi::Array::New(env);
  WalkTable(table, rows, cursor, [&](const auto& column, std::uint64_t offset, std::uint64_t length) {
    using Element = typename std::decay_t<decltype(column)>::Element;
    specs.Set(specs.Length(), ColumnSpec(env, column.name, TypeName<Element>(), offset, length));
  });
  return specs;
}

// layout(capacity): Layout
Napi::Value LayoutOf(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Capacity capacity = CapacityArgument(info, 0);
  Cursor cursor;
  Napi::Object layout = Napi::Object::New(env);
  layout.Set("processes", TableSpec(env, kProcessColumns, capacity.processes, cursor));
  layout.Set("listeners", TableSpec(env, kListenerColumns, capacity.sockets, cursor));
  layout.Set("connections", TableSpec(env, kConnectionColumns, capacity.sockets, cursor));
  layout.Set("holders", TableSpec(env, kHolderColumns, capacity.holders, cursor));
  layout.Set("text", ColumnSpec(env, "text", "u8", cursor.Take(capacity.text), capacity.text));
  layout.Set("bytes", static_cast<double>(cursor.end()));
  return layout;
}

// publish(header, generation, active): header[1] = active, then header[0] = generation with release order, so
// that who reads the new generation reads its buffer index too.
void Publish(const Napi::CallbackInfo& info) {
  const std::span<std::int32_t> header = Int32Argument(info, 0, "header");
  if (header.size() < 2) throw Napi::RangeError::New(info.Env(), "header must have at least two elements");
  const auto generation = static_cast<std::int32_t>(IntegerArgument(info, 1, "generation", 0, INT32_MAX));
  const auto active = static_cast<std::int32_t>(IntegerArgument(info, 2, "active", 0, INT32_MAX));
  std::atomic_ref(header[1]).store(active, std::memory_order_relaxed);
  std::atomic_ref(header[0]).store(generation, std::memory_order_release);
}

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  exports.Set("mark", DESK_MARK);
#if defined(__clang__)
  exports.Set("compiler", "clang " __clang_version__);
#else
  exports.Set("compiler", "g++ " __VERSION__);
#endif
  ExportFunction(env, exports, "layout", LayoutOf);
  ExportFunction(env, exports, "publish", Publish);
  ExportSweep(env, exports);
  ExportOwner(env, exports);
  ExportSocket(env, exports);
  ExportMachine(env, exports);
  ExportLock(env, exports);
  ExportSignal(env, exports);
  ExportWatch(env, exports);
  ExportBpf(env, exports);
  ExportBatch(env, exports);
  ExportHidden(env, exports);
  ExportHost(env, exports);
  ExportForeign(env, exports);
  ExportAct(env, exports);
  ExportMail(env, exports);
  ExportPrivilege(env, exports);
  return exports;
}

NODE_API_MODULE(desk, Init)

}  // namespace
}  // namespace desk::addon
