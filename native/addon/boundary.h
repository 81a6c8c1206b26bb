// The border to JavaScript: checked arguments in, plain values out. A bad argument throws a TypeError or
// RangeError with what was expected; a refusal of the kernel is a returned value.
#pragma once

#include <napi.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/columns.h"
#include "core/errno_name.h"
#include "core/handles.h"
#include "core/result.h"
#include "core/root.h"

namespace desk::addon {

inline constexpr std::int64_t kMostShards = 4096;
inline constexpr std::int64_t kMostPort = 65535;

// `value`, called `name` in the error, as an integer within [low, high].
std::int64_t WholeNumber(Napi::Env env, const Napi::Value& value, std::string_view name, std::int64_t low,
                         std::int64_t high);
// Integer argument `index` within [low, high].
template <class T = std::int64_t>
T IntegerArgument(const Napi::CallbackInfo& info, std::size_t index, const char* name, std::int64_t low,
                  std::int64_t high) {
  return static_cast<T>(WholeNumber(info.Env(), info[index], name, low, high));
}
// Member `name` of an object, as an integer within [low, high].
template <class T = std::uint32_t>
T IntegerMember(const Napi::Object& object, const char* name, std::int64_t low, std::int64_t high,
                const std::string& path = "") {
  return static_cast<T>(WholeNumber(object.Env(), object.Get(name), path + name, low, high));
}
inline std::int32_t PidArgument(const Napi::CallbackInfo& info, std::size_t index) {
  return IntegerArgument<std::int32_t>(info, index, "pid", 1, INT_MAX);
}
// Boolean argument `index`; `otherwise` when it is left out.
bool BooleanArgument(const Napi::CallbackInfo& info, std::size_t index, const char* name, bool otherwise);
bool BooleanMember(const Napi::Object& object, const char* name);
// String argument without NUL bytes.
std::string StringArgument(const Napi::CallbackInfo& info, std::size_t index, const char* name);
Napi::Object ObjectArgument(const Napi::CallbackInfo& info, std::size_t index, const char* name);
// Elements of a typed array of T: u8, u16, u32, i32 or u64 (also over a SharedArrayBuffer). Valid during this
// call only.
template <class T>
std::span<T> ElementsOf(const Napi::Value& value, const std::string& name);
// Bytes of a Uint8Array. Valid during this call only.
inline std::span<std::uint8_t> BytesArgument(const Napi::CallbackInfo& info, std::size_t index,
                                             const char* name) {
  return ElementsOf<std::uint8_t>(info[index], name);
}
// Elements of an Int32Array. Valid during this call only.
inline std::span<std::int32_t> Int32Argument(const Napi::CallbackInfo& info, std::size_t index,
                                             const char* name) {
  return ElementsOf<std::int32_t>(info[index], name);
}

// Calls visit(element) for each element of an array member.
template <class Visit>
void EachOf(const Napi::Object& object, const char* name, Visit&& visit) {
  const Napi::Value value = object.Get(name);
  if (!value.IsArray()) throw Napi::TypeError::New(object.Env(), std::string(name) + " must be an array");
  const auto array = value.As<Napi::Array>();
  for (std::uint32_t at = 0; at < array.Length(); ++at) visit(array.Get(at));
}
// `value`, called `name` in the error, as a string.
std::string TextOf(const Napi::Value& value, const char* name);

[[noreturn]] void ThrowUnknownHandle(Napi::Env env, const char* name, int handle);
// The object of handle argument `index`.
template <class T>
std::shared_ptr<T> HandleArgument(const Napi::CallbackInfo& info, std::size_t index, const char* name,
                                  Handles<T>& handles = HandlesOf<T>()) {
  const auto handle = IntegerArgument<int>(info, index, name, 0, INT_MAX);
  std::shared_ptr<T> object = handles.Find(handle);
  if (!object) ThrowUnknownHandle(info.Env(), name, handle);
  return object;
}
// Closes the handle of argument `index`; the object.
template <class T>
std::shared_ptr<T> CloseArgument(const Napi::CallbackInfo& info, std::size_t index, const char* name,
                                 Handles<T>& handles = HandlesOf<T>()) {
  const auto handle = IntegerArgument<int>(info, index, name, 0, INT_MAX);
  std::shared_ptr<T> object = handles.Close(handle);
  if (!object) ThrowUnknownHandle(info.Env(), name, handle);
  return object;
}
inline std::shared_ptr<Root> RootArgument(const Napi::CallbackInfo& info, std::size_t index) {
  return HandleArgument<Root>(info, index, "root");
}

// {processes, sockets, holders, text}.
Capacity CapacityArgument(const Napi::CallbackInfo& info, std::size_t index);
// The columns in buffer argument `index`, checked to be large enough for `capacity` and aligned to 8 bytes.
Columns ColumnsArgument(const Napi::CallbackInfo& info, std::size_t index, const Capacity& capacity);
// (…, buffer, capacity, …) from argument `index` on.
struct Table {
  Table(const Napi::CallbackInfo& info, std::size_t index)
      : capacity(CapacityArgument(info, index + 1)), columns(ColumnsArgument(info, index, capacity)) {}
  Capacity capacity;
  Columns columns;
};

// A Refusal: {errno, code, source}.
Napi::Object RefusalValue(Napi::Env env, int error, const std::string& source);
// Null for 0, else a Refusal.
Napi::Value RefusalOrNull(Napi::Env env, int error, const std::string& source);
// make(value) of a result, or its Refusal.
template <class T, class Make>
Napi::Value ValueOr(Napi::Env env, const Result<T>& result, const std::string& source, Make&& make) {
  if (!result) return RefusalValue(env, result.error(), source);
  return make(*result);
}
// A number, boolean or string, or a Refusal.
template <class T>
Napi::Value ValueOr(Napi::Env env, const Result<T>& result, const std::string& source) {
  return ValueOr(
      env, result, source, [env](const T& value) { return Napi::Value::From(env, value); });
}
// Bytes of the kernel as text; invalid UTF-8 becomes U+FFFD.
Napi::String TextValue(Napi::Env env, std::string_view bytes);

// A member of a new object: anything that Napi::Object::Set takes. Refers to the value until the object is
// made.
class Member {
 public:
  template <class T>
  Member(const char* name, const T& value)
      : set_([name, &value](Napi::Object& object) { object.Set(name, value); }) {}
  void SetIn(Napi::Object& object) const { set_(object); }

 private:
  std::function<void(Napi::Object&)> set_;
};
Napi::Object ObjectOf(Napi::Env env, std::initializer_list<Member> members);

// The value of each item, as an array.
template <class Items, class Make>
Napi::Array ArrayOf(Napi::Env env, const Items& items, Make&& make) {
  Napi::Array list = Napi::Array::New(env, items.size());
  std::uint32_t at = 0;
  for (const auto& item : items) list.Set(at++, make(item));
  return list;
}
// The items as an array of numbers or strings.
template <class Items>
Napi::Array ArrayOf(Napi::Env env, const Items& items) {
  return ArrayOf(
      env, items, [](const auto& item) { return item; });
}
// A new typed array of T.
template <class T, class Items>
Napi::Value TypedCopy(Napi::Env env, const Items& items) {
  auto copy = Napi::TypedArrayOf<T>::New(env, items.size());
  std::ranges::copy(items, copy.Data());
  return {env, copy};
}

// Sets exports[name] to a function.
template <class Callback>
void ExportFunction(Napi::Env env, Napi::Object& exports, const char* name, Callback callback) {
  exports.Set(name, Napi::Function::New(env, callback, name));
}

}  // namespace desk::addon
