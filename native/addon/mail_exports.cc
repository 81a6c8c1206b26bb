#include "addon/mail_exports.h"

#include <algorithm>
#include <span>
#include <string>

#include "addon/boundary.h"
#include "mail/header_fields.h"
#include "mail/message_files.h"

namespace desk::addon {
namespace {

// A character per byte.
Napi::Value BytesAsText(Napi::Env env, const std::string& bytes) {
  napi_value text = nullptr;
  if (napi_create_string_latin1(env, bytes.data(), bytes.size(), &text) != napi_ok) {
    throw Napi::Error::New(env, "no string of " + std::to_string(bytes.size()) + " bytes could be made");
  }
  return {env, text};
}

// messageFields(header): string
Napi::Value MessageFields(const Napi::CallbackInfo& info) {
  const std::span<const std::uint8_t> header = BytesArgument(info, 0, "header");
  std::string lines;
  AppendFields({reinterpret_cast<const char*>(header.data()), header.size()}, lines);
  return BytesAsText(info.Env(), lines);
}

// readMessageFields(paths): {lines, states}
Napi::Value ReadMessageFields(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (!info[0].IsString()) throw Napi::TypeError::New(env, "paths must be a string");
  const MessageHeaders headers = ReadMessageHeaders(info[0].As<Napi::String>().Utf8Value());
  Napi::Int32Array states = Napi::Int32Array::New(env, headers.states.size());
  std::ranges::copy(headers.states, states.Data());
  Napi::Object read = Napi::Object::New(env);
  read.Set("lines", BytesAsText(env, headers.lines));
  read.Set("states", states);
  return read;
}

}  // namespace

void ExportMail(Napi::Env env, Napi::Object& exports) {
  Napi::Array names = Napi::Array::New(env, kMessageFields.size());
  std::uint32_t at = 0;
  for (const std::string_view name : kMessageFields) names.Set(at++, std::string(name));
  exports.Set("messageFieldNames", names);
  ExportFunction(env, exports, "messageFields", MessageFields);
  ExportFunction(env, exports, "readMessageFields", ReadMessageFields);
}

}  // namespace desk::addon
