#include "addon/boundary.h"

#include <cmath>

#include "core/utf8.h"

namespace desk::addon {
namespace {

[[noreturn]] void Refuse(const Napi::CallbackInfo& info, const std::string& message) {
  throw Napi::TypeError::New(info.Env(), message);
}

template <class T>
constexpr napi_typedarray_type kArrayType = napi_int8_array;
template <>
constexpr napi_typedarray_type kArrayType<std::uint8_t> = napi_uint8_array;
template <>
constexpr napi_typedarray_type kArrayType<std::uint16_t> = napi_uint16_array;
template <>
constexpr napi_typedarray_type kArrayType<std::uint32_t> = napi_uint32_array;
template <>
constexpr napi_typedarray_type kArrayType<std::int32_t> = napi_int32_array;
template <>
constexpr napi_typedarray_type kArrayType<std::uint64_t> = napi_biguint64_array;

// In the order of napi_typedarray_type.
constexpr const char* kArrayNames[] = {"Int8Array",    "Uint8Array",    "Uint8ClampedArray", "Int16Array",
                                       "Uint16Array",  "Int32Array",    "Uint32Array",       "Float32Array",
                                       "Float64Array", "BigInt64Array", "BigUint64Array"};

}  // namespace

std::int64_t WholeNumber(Napi::Env env, const Napi::Value& value, std::string_view name, std::int64_t low,
                         std::int64_t high) {
  const auto expected = [&] {
    return std::string(name) + " must be a whole number from " + std::to_string(low) + " to " +
           std::to_string(high);
  };
  if (!value.IsNumber()) throw Napi::TypeError::New(env, expected());
  const double number = value.As<Napi::Number>().DoubleValue();
  if (!(number >= static_cast<double>(low) && number <= static_cast<double>(high)) ||
      std::floor(number) != number)
    throw Napi::RangeError::New(env, expected());
  return static_cast<std::int64_t>(number);
}

std::string TextOf(const Napi::Value& value, const char* name) {
  if (!value.IsString()) throw Napi::TypeError::New(value.Env(), std::string(name) + " must be a string");
  return value.As<Napi::String>().Utf8Value();
}

bool BooleanArgument(const Napi::CallbackInfo& info, std::size_t index, const char* name, bool otherwise) {
  if (info[index].IsUndefined()) return otherwise;
  if (!info[index].IsBoolean()) Refuse(info, std::string(name) + " must be a boolean");
  return info[index].As<Napi::Boolean>().Value();
}

bool BooleanMember(const Napi::Object& object, const char* name) {
  const Napi::Value value = object.Get(name);
  if (!value.IsBoolean()) throw Napi::TypeError::New(object.Env(), std::string(name) + " must be a boolean");
  return value.As<Napi::Boolean>();
}

std::string StringArgument(const Napi::CallbackInfo& info, std::size_t index, const char* name) {
  if (!info[index].IsString()) Refuse(info, std::string(name) + " must be a string");
  std::string text = info[index].As<Napi::String>().Utf8Value();
  if (text.empty() || text.find('\0') != std::string::npos)
    Refuse(info, std::string(name) + " must be a non-empty string without NUL bytes");
  return text;
}

Napi::Object ObjectArgument(const Napi::CallbackInfo& info, std::size_t index, const char* name) {
  if (!info[index].IsObject()) Refuse(info, std::string(name) + " must be an object");
  return info[index].As<Napi::Object>();
}

// Not by Napi::TypedArray: that reads the ArrayBuffer too, which fails over a SharedArrayBuffer.
template <class T>
std::span<T> ElementsOf(const Napi::Value& value, const std::string& name) {
  const std::string expected = name + " must be a " + kArrayNames[kArrayType<T>];
  napi_typedarray_type type = napi_int8_array;
  std::size_t length = 0;
  void* data = nullptr;
  if (!value.IsTypedArray() ||
      napi_get_typedarray_info(value.Env(), value, &type, &length, &data, nullptr, nullptr) != napi_ok ||
      type != kArrayType<T>)
    throw Napi::TypeError::New(value.Env(), expected);
  return {static_cast<T*>(data), data == nullptr ? 0 : length};
}

template std::span<std::uint8_t> ElementsOf(const Napi::Value&, const std::string&);
template std::span<std::uint16_t> ElementsOf(const Napi::Value&, const std::string&);
template std::span<std::uint32_t> ElementsOf(const Napi::Value&, const std::string&);
template std::span<std::int32_t> ElementsOf(const Napi::Value&, const std::string&);
template std::span<std::uint64_t> ElementsOf(const Napi::Value&, const std::string&);

void ThrowUnknownHandle(Napi::Env env, const char* name, int handle) {
  throw Napi::RangeError::New(env, std::string(name) + " " + std::to_string(handle) + " does not exist");
}

Capacity CapacityArgument(const Napi::CallbackInfo& info, std::size_t index) {
  const Napi::Object object = ObjectArgument(info, index, "capacity");
  const auto member = [&](const char* name, std::uint32_t most) {
    return IntegerMember(object, name, 0, most, "capacity.");
  };
  return {.processes = member("processes", kMaxProcesses),
          .sockets = member("sockets", kMaxSockets),
          .holders = member("holders", kMaxHolders),
          .text = member("text", kMaxText)};
}

Columns ColumnsArgument(const Napi::CallbackInfo& info, std::size_t index, const Capacity& capacity) {
  const std::span<std::uint8_t> bytes = BytesArgument(info, index, "buffer");
  const std::uint64_t wanted = LayoutBytes(capacity);
  if (bytes.size() < wanted) {
    throw Napi::RangeError::New(info.Env(), "buffer holds " + std::to_string(bytes.size()) +
                                                " bytes; layout(capacity) needs " + std::to_string(wanted));
  }
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(std::uint64_t) != 0)
    throw Napi::RangeError::New(info.Env(), "buffer must start at a multiple of 8 bytes");
  return Bind(reinterpret_cast<std::byte*>(bytes.data()), capacity);
}

Napi::Object RefusalValue(Napi::Env env, int error, const std::string& source) {
  return ObjectOf(env, {{"errno", error}, {"code", ErrnoName(error)}, {"source", source}});
}

Napi::Value RefusalOrNull(Napi::Env env, int error, const std::string& source) {
  if (error == 0) return env.Null();
  return RefusalValue(env, error, source);
}

Napi::String TextValue(Napi::Env env, std::string_view bytes) {
  std::string text;
  AppendLossy(text, bytes);
  return Napi::String::New(env, text);
}

Napi::Object ObjectOf(Napi::Env env, std::initializer_list<Member> members) {
  Napi::Object object = Napi::Object::New(env);
  for (const Member& member : members) member.SetIn(object);
  return object;
}

}  // namespace desk::addon
