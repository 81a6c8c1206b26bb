#include "addon/boundary.h"

#include <cerrno>
#include <cmath>

namespace desk::addon {
namespace {

[[noreturn]] void Refuse(const Napi::CallbackInfo& info, const std::string& sentence) {
  throw Napi::TypeError::New(info.Env(), sentence);
}

template <class T>
struct ArrayType;
template <>
struct ArrayType<std::uint8_t> {
  static constexpr napi_typedarray_type kType = napi_uint8_array;
  static constexpr const char* kName = "Uint8Array";
};
template <>
struct ArrayType<std::uint16_t> {
  static constexpr napi_typedarray_type kType = napi_uint16_array;
  static constexpr const char* kName = "Uint16Array";
};
template <>
struct ArrayType<std::uint32_t> {
  static constexpr napi_typedarray_type kType = napi_uint32_array;
  static constexpr const char* kName = "Uint32Array";
};
template <>
struct ArrayType<std::int32_t> {
  static constexpr napi_typedarray_type kType = napi_int32_array;
  static constexpr const char* kName = "Int32Array";
};
template <>
struct ArrayType<std::uint64_t> {
  static constexpr napi_typedarray_type kType = napi_biguint64_array;
  static constexpr const char* kName = "BigUint64Array";
};

}  // namespace

std::int64_t WholeNumber(Napi::Env env, const Napi::Value& value, const std::string& name, std::int64_t low,
                         std::int64_t high) {
  const std::string expected =
      name + " must be a whole number from " + std::to_string(low) + " to " + std::to_string(high);
  if (!value.IsNumber()) throw Napi::TypeError::New(env, expected);
  const double number = value.As<Napi::Number>().DoubleValue();
  if (!(number >= static_cast<double>(low) && number <= static_cast<double>(high)) ||
      std::floor(number) != number) {
    throw Napi::RangeError::New(env, expected);
  }
  return static_cast<std::int64_t>(number);
}

std::int64_t IntegerArgument(const Napi::CallbackInfo& info, std::size_t index, const char* name,
                             std::int64_t low, std::int64_t high) {
  return WholeNumber(info.Env(), info[index], name, low, high);
}

bool BooleanArgument(const Napi::CallbackInfo& info, std::size_t index, const char* name, bool otherwise) {
  if (info[index].IsUndefined()) return otherwise;
  if (!info[index].IsBoolean()) Refuse(info, std::string(name) + " must be a boolean");
  return info[index].As<Napi::Boolean>().Value();
}

std::string StringArgument(const Napi::CallbackInfo& info, std::size_t index, const char* name) {
  if (!info[index].IsString()) Refuse(info, std::string(name) + " must be a string");
  std::string text = info[index].As<Napi::String>().Utf8Value();
  if (text.empty() || text.find('\0') != std::string::npos) {
    Refuse(info, std::string(name) + " must be a non-empty string without NUL bytes");
  }
  return text;
}

// Napi::TypedArray asks for the ArrayBuffer too, which fails over a SharedArrayBuffer; the pointer alone does
// not.
template <class T>
std::span<T> ElementsOf(const Napi::Value& value, const std::string& name) {
  const std::string expected = name + " must be a " + ArrayType<T>::kName;
  napi_typedarray_type type = napi_int8_array;
  std::size_t length = 0;
  void* data = nullptr;
  if (!value.IsTypedArray() ||
      napi_get_typedarray_info(value.Env(), value, &type, &length, &data, nullptr, nullptr) != napi_ok ||
      type != ArrayType<T>::kType) {
    throw Napi::TypeError::New(value.Env(), expected);
  }
  return {static_cast<T*>(data), data == nullptr ? 0 : length};
}

template std::span<std::uint8_t> ElementsOf(const Napi::Value&, const std::string&);
template std::span<std::uint16_t> ElementsOf(const Napi::Value&, const std::string&);
template std::span<std::uint32_t> ElementsOf(const Napi::Value&, const std::string&);
template std::span<std::int32_t> ElementsOf(const Napi::Value&, const std::string&);
template std::span<std::uint64_t> ElementsOf(const Napi::Value&, const std::string&);

std::span<std::uint8_t> BytesArgument(const Napi::CallbackInfo& info, std::size_t index, const char* name) {
  return ElementsOf<std::uint8_t>(info[index], name);
}

std::span<std::int32_t> Int32Argument(const Napi::CallbackInfo& info, std::size_t index, const char* name) {
  return ElementsOf<std::int32_t>(info[index], name);
}

std::shared_ptr<Root> RootArgument(const Napi::CallbackInfo& info, std::size_t index) {
  const auto handle = static_cast<int>(IntegerArgument(info, index, "root", 0, INT32_MAX));
  std::shared_ptr<Root> root = FindRoot(handle);
  if (!root) throw Napi::RangeError::New(info.Env(), "root " + std::to_string(handle) + " is not open");
  return root;
}

Capacity CapacityArgument(const Napi::CallbackInfo& info, std::size_t index) {
  if (!info[index].IsObject()) Refuse(info, "capacity must be an object {processes, sockets, holders, text}");
  const auto object = info[index].As<Napi::Object>();
  const auto member = [&](const char* name, std::uint32_t most) {
    return static_cast<std::uint32_t>(
        WholeNumber(info.Env(), object.Get(name), std::string("capacity.") + name, 0, most));
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
                                                " bytes; layout(capacity) asks for " +
                                                std::to_string(wanted));
  }
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(std::uint64_t) != 0) {
    throw Napi::RangeError::New(info.Env(), "buffer must start at a multiple of 8 bytes");
  }
  return Bind(reinterpret_cast<std::byte*>(bytes.data()), capacity);
}

Napi::Object RefusalValue(Napi::Env env, int error, const std::string& source) {
  Napi::Object refusal = Napi::Object::New(env);
  refusal.Set("errno", error);
  refusal.Set("code", ErrnoName(error));
  refusal.Set("source", source);
  return refusal;
}

}  // namespace desk::addon
