// The entry point of the addon: the name of the build, the layout of the columns, and the exports of each
// part.
#include <napi.h>

#include <string>
#include <type_traits>

#include "addon/boundary.h"
#include "addon/exports.h"
#include "core/atomic.h"
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
  return ObjectOf(env, {{"name", std::string(name)}, {"type", type}, {"offset", offset}, {"length", length}});
}

// layout(capacity): Layout
Napi::Value LayoutOf(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Capacity capacity = CapacityArgument(info, 0);
  constexpr const char* kTables[] = {"processes", "listeners", "connections", "holders"};
  Cursor cursor;
  Columns columns;
  Napi::Object layout = Napi::Object::New(env);
  std::size_t at = 0;
  EachTable(capacity, columns, [&](const auto& table, std::uint64_t rows, auto&) {
    Napi::Array specs = Napi::Array::New(env);
    WalkTable(table, rows, cursor, [&](const auto& column, std::uint64_t offset, std::uint64_t length) {
      using Element = typename std::decay_t<decltype(column)>::Element;
      specs.Set(specs.Length(), ColumnSpec(env, column.name, TypeName<Element>(), offset, length));
    });
    layout.Set(kTables[at++], specs);
  });
  layout.Set("text", ColumnSpec(env, "text", "u8", cursor.Take(capacity.text), capacity.text));
  layout.Set("bytes", static_cast<double>(cursor.end()));
  return layout;
}

// publish(header, generation, active): header[1] = active, then header[0] = generation with release order: a
// reader that sees the new generation also sees its buffer index.
void Publish(const Napi::CallbackInfo& info) {
  const std::span<std::int32_t> header = Int32Argument(info, 0, "header");
  if (header.size() < 2) throw Napi::RangeError::New(info.Env(), "header must have at least two elements");
  const auto generation = static_cast<std::int32_t>(IntegerArgument(info, 1, "generation", 0, INT32_MAX));
  const auto active = static_cast<std::int32_t>(IntegerArgument(info, 2, "active", 0, INT32_MAX));
  StoreRelaxed(header[1], active);
  StoreRelease(header[0], generation);
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
  ExportTable(env, exports);
  ExportOwner(env, exports);
  ExportSocket(env, exports);
  ExportMachine(env, exports);
  ExportLock(env, exports);
  ExportLook(env, exports);
  ExportTicker(env, exports);
  ExportVitals(env, exports);
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
