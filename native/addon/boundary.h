// What every export needs at the border to JavaScript: checked arguments in, plain values out.
// A bad argument throws a TypeError or RangeError that says what was expected; a kernel refusal is a returned
// value.
#pragma once

#include <napi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/columns.h"
#include "core/errno_name.h"
#include "core/root.h"

namespace desk::addon {

inline constexpr std::int64_t kMostShards = 4096;

// `value`, called `name` in the error, as an integer within [low, high].
std::int64_t WholeNumber(Napi::Env env, const Napi::Value& value, const std::string& name, std::int64_t low,
                         std::int64_t high);
// Integer argument `index` within [low, high].
std::int64_t IntegerArgument(const Napi::CallbackInfo& info, std::size_t index, const char* name,
                             std::int64_t low, std::int64_t high);
// Boolean argument `index`; `otherwise` when it is left out.
bool BooleanArgument(const Napi::CallbackInfo& info, std::size_t index, const char* name, bool otherwise);
// String argument without NUL bytes.
std::string StringArgument(const Napi::CallbackInfo& info, std::size_t index, const char* name);
// Elements of a typed array of T: u8, u16, u32, i32 or u64 (also over a SharedArrayBuffer). Valid during this
// call only.
template <class T>
std::span<T> ElementsOf(const Napi::Value& value, const std::string& name);
// Bytes of a Uint8Array (also over a SharedArrayBuffer). Valid during this call only.
std::span<std::uint8_t> BytesArgument(const Napi::CallbackInfo& info, std::size_t index, const char* name);
// Elements of an Int32Array (also over a SharedArrayBuffer). Valid during this call only.
std::span<std::int32_t> Int32Argument(const Napi::CallbackInfo& info, std::size_t index, const char* name);
// The open root of handle argument `index`.
std::shared_ptr<Root> RootArgument(const Napi::CallbackInfo& info, std::size_t index);
// {processes, sockets, holders, text}.
Capacity CapacityArgument(const Napi::CallbackInfo& info, std::size_t index);
// The columns in buffer argument `index`, checked to be large enough for `capacity` and aligned to 8 bytes.
Columns ColumnsArgument(const Napi::CallbackInfo& info, std::size_t index, const Capacity& capacity);

// A Refusal: {errno, code, source}.
Napi::Object RefusalValue(Napi::Env env, int error, const std::string& source);

// The value of each item, as an array.
template <class Items, class Make>
Napi::Array ArrayOf(Napi::Env env, const Items& items, Make&& make) {
  Napi::Array list = Napi::Array::New(env, items.size());
  std::uint32_t at = 0;
  for (const auto& item : items) list.Set(at++, make(item));
  return list;
}

// Sets exports[name] to a function.
template <class Callback>
void ExportFunction(Napi::Env env, Napi::Object& exports, const char* name, Callback callback) {
  exports.Set(name, Napi::Function::New(env, callback, name));
}

}  // namespace desk::addon
