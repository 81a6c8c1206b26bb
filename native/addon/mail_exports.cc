#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "addon/boundary.h"
#include "addon/exports.h"
#include "mail/header_fields.h"
#include "mail/message_columns.h"
#include "mail/message_files.h"
#include "mail/message_folder.h"

namespace desk::addon {
namespace {

// One character per byte.
Napi::Value BytesAsText(Napi::Env env, const std::string& bytes) {
  napi_value text = nullptr;
  if (napi_create_string_latin1(env, bytes.data(), bytes.size(), &text) != napi_ok)
    throw Napi::Error::New(env, "no string of " + std::to_string(bytes.size()) + " bytes can be created");
  return {env, text};
}

// String argument `index`, one byte per character.
std::string BytesOfText(const Napi::CallbackInfo& info, std::size_t index, const char* name) {
  const Napi::Env env = info.Env();
  if (!info[index].IsString()) throw Napi::TypeError::New(env, std::string(name) + " must be a string");
  std::size_t length = 0;
  std::string bytes;
  if (napi_get_value_string_latin1(env, info[index], nullptr, 0, &length) == napi_ok) {
    bytes.resize(length + 1);
    napi_get_value_string_latin1(env, info[index], bytes.data(), bytes.size(), &length);
    bytes.resize(length);
  }
  return bytes;
}

SipKey KeyArgument(const Napi::CallbackInfo& info) {
  const std::span<const std::uint8_t> bytes = BytesArgument(info, 0, "key");
  SipKey key{};
  if (bytes.size() != sizeof key) throw Napi::RangeError::New(info.Env(), "key must have 16 bytes");
  std::memcpy(&key, bytes.data(), sizeof key);
  return key;
}

std::int64_t NowArgument(const Napi::CallbackInfo& info, std::size_t index) {
  constexpr std::int64_t kMost = 8'640'000'000'000'000;  // ECMA-262, "Time Values and Time Range"
  return IntegerArgument(info, index, "nowMs", 0, kMost);
}

// new MessageReader(key)
class Reader : public Napi::ObjectWrap<Reader> {
 public:
  explicit Reader(const Napi::CallbackInfo& info)
      : Napi::ObjectWrap<Reader>(info), reader_(KeyArgument(info)) {}

  static Napi::Function Class(Napi::Env env) {
    return DefineClass(env, "MessageReader",
                       {InstanceMethod<&Reader::Add>("add"), InstanceMethod<&Reader::Read>("read"),
                        InstanceMethod<&Reader::Take>("take")});
  }

 private:
  class Files;

  // add(header, nowMs): number
  Napi::Value Add(const Napi::CallbackInfo& info) {
    RequireIdle(info.Env());
    const std::span<const std::uint8_t> header = BytesArgument(info, 0, "header");
    reader_.Add({reinterpret_cast<const char*>(header.data()), header.size()}, NowArgument(info, 1));
    return Napi::Number::New(info.Env(), static_cast<double>(reader_.waiting()));
  }

  // read(directory, names, nowMs, forMs): Promise<{states, keys, times, flags, named, ends, firstText,
  // texts}>
  Napi::Value Read(const Napi::CallbackInfo& info);

  // take(): {keys, times, flags, named, ends, firstText, texts}
  Napi::Value Take(const Napi::CallbackInfo& info) {
    RequireIdle(info.Env());
    return Taken(info.Env());
  }

  void RequireIdle(Napi::Env env) const {
    if (busy_) throw Napi::Error::New(env, "the reader is busy reading files");
  }

  Napi::Object Taken(Napi::Env env) {
    const MessageReader::Taken taken = reader_.Take();
    const MessageColumns& columns = taken.columns;
    return ObjectOf(env, {{"keys", TypedCopy<std::uint8_t>(env, columns.keys)},
                          {"times", TypedCopy<double>(env, columns.times)},
                          {"flags", TypedCopy<std::uint8_t>(env, columns.flags)},
                          {"named", TypedCopy<std::uint32_t>(env, columns.named)},
                          {"ends", TypedCopy<std::uint32_t>(env, columns.ends)},
                          {"firstText", taken.first_text},
                          {"texts", BytesAsText(env, taken.texts)}});
  }

  MessageReader reader_;
  // In use by a thread of the pool.
  bool busy_ = false;
};

// Reads files on a thread of the pool; the reader stays there until its promise is settled.
class Reader::Files : public Napi::AsyncWorker {
 public:
  Files(Napi::Env env, Reader& reader, std::string directory, std::string names, std::int64_t now_ms,
        std::int64_t for_ms)
      : Napi::AsyncWorker(env, "desk.readMessageFiles"),
        deferred_(env),
        reader_(reader),
        kept_(Napi::Persistent(reader.Value())),
        directory_(std::move(directory)),
        names_(std::move(names)),
        now_ms_(now_ms),
        for_ms_(for_ms) {
    reader_.busy_ = true;
  }

  Napi::Promise promise() const { return deferred_.Promise(); }

 private:
  void Execute() override {
    states_ = ReadMessageFiles(directory_, names_, now_ms_, for_ms_, reader_.reader_);
  }

  void OnOK() override {
    reader_.busy_ = false;
    try {
      Napi::Object value = reader_.Taken(Env());
      value.Set("states", TypedCopy<std::int32_t>(Env(), states_));
      deferred_.Resolve(value);
    } catch (const Napi::Error& error) {
      deferred_.Reject(error.Value());
    }
  }

  void OnError(const Napi::Error& error) override {
    reader_.busy_ = false;
    deferred_.Reject(error.Value());
  }

  Napi::Promise::Deferred deferred_;
  Reader& reader_;
  Napi::ObjectReference kept_;
  std::string directory_;
  std::string names_;
  std::int64_t now_ms_;
  std::int64_t for_ms_;
  std::vector<std::int32_t> states_;
};

Napi::Value Reader::Read(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  RequireIdle(env);
  std::string directory = StringArgument(info, 0, "directory");
  std::string names = BytesOfText(info, 1, "names");
  const std::int64_t now_ms = NowArgument(info, 2);
  const std::int64_t for_ms = IntegerArgument(info, 3, "forMs", 0, 3'600'000);
  auto files = std::make_unique<Files>(env, *this, std::move(directory), std::move(names), now_ms, for_ms);
  const Napi::Promise promise = files->promise();
  files->Queue();
  // It deletes itself when it is done.
  static_cast<void>(files.release());
  return promise;
}

// listMessages(directory, kind): {names, begins, units} | Refusal
Napi::Value ListMessages(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::string directory = StringArgument(info, 0, "directory");
  const std::string kind = StringArgument(info, 1, "kind");
  if (kind != "maildir" && kind != "mh") throw Napi::RangeError::New(env, "kind must be maildir or mh");
  const Result<MessageFolder> folder =
      ListMessageFolder(directory, kind == "mh" ? MessageFolderKind::kMh : MessageFolderKind::kMaildir);
  if (!folder) return RefusalValue(env, folder.error(), directory);
  return ObjectOf(env, {{"names", BytesAsText(env, folder->names)},
                        {"begins", TypedCopy<std::uint32_t>(env, folder->begins)},
                        {"units", TypedCopy<double>(env, folder->units)}});
}

}  // namespace

void ExportMail(Napi::Env env, Napi::Object& exports) {
  exports.Set("messageFieldNames", ArrayOf(env, kMessageFields, [env](std::string_view name) {
                return Napi::String::New(env, name.data(), name.size());
              }));
  ExportFunction(env, exports, "listMessages", ListMessages);
  exports.Set("MessageReader", Reader::Class(env));
}

}  // namespace desk::addon
