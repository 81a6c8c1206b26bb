#include "addon/aside.h"

#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "core/signals_blocked.h"

namespace desk::addon {
namespace {

// Returns results to one environment. Calls may outlive it: Node 20 frees a thread-safe function with its
// environment, used or not, so they check `function` under the lock.
struct Channel {
  std::mutex mutex;
  napi_threadsafe_function function = nullptr;
  // Calls that the event loop waits for. Used by the JavaScript thread only, which alone writes `function`.
  std::uint32_t awaited = 0;

  void Await(napi_env env) {
    if (awaited++ == 0) napi_ref_threadsafe_function(env, function);
  }

  void Release(napi_env env) {
    if (--awaited == 0 && function != nullptr) napi_unref_threadsafe_function(env, function);
  }
};

struct Call {
  Napi::Promise::Deferred deferred;
  std::shared_ptr<Channel> channel;
  EventLoop loop;
  AsideValue value;
  std::string error;
};

void Settle(Napi::Env env, Call& call) {
  if (call.error.empty()) {
    try {
      return call.deferred.Resolve(call.value(env));
    } catch (const std::exception& error) {
      call.error = error.what();
    }
  }
  call.deferred.Reject(Napi::Error::New(env, call.error).Value());
}

void Finish(napi_env raw, napi_value, void*, void* data) {
  const std::unique_ptr<Call> call(static_cast<Call*>(data));
  // The environment has ended.
  if (raw == nullptr) return;
  const Napi::Env env(raw);
  const Napi::HandleScope scope(env);
  if (call->loop == EventLoop::kWaits) call->channel->Release(env);
  try {
    Settle(env, *call);
  } catch (const std::exception&) {
    // While an environment ends, node runs the event loop but refuses to run JavaScript: nothing waits for
    // this promise any more. An exception that left this function would abort the process.
    return;
  }
}

struct Channels {
  std::mutex mutex;
  std::map<napi_env, std::shared_ptr<Channel>> by_environment;
};

// Never destroyed: a call may return while the process ends.
Channels& TheChannels() {
  static auto* const channels = new Channels;
  return *channels;
}

void Close(void* data) {
  const auto env = static_cast<napi_env>(data);
  std::shared_ptr<Channel> channel;
  {
    const std::lock_guard guard(TheChannels().mutex);
    channel = std::move(TheChannels().by_environment[env]);
    TheChannels().by_environment.erase(env);
  }
  const std::lock_guard guard(channel->mutex);
  channel->function = nullptr;
}

std::shared_ptr<Channel> ChannelOf(Napi::Env env) {
  const std::lock_guard guard(TheChannels().mutex);
  std::shared_ptr<Channel>& channel = TheChannels().by_environment[env];
  if (channel) return channel;
  auto made = std::make_shared<Channel>();
  const Napi::String name = Napi::String::New(env, "desk-aside");
  if (napi_create_threadsafe_function(env, nullptr, nullptr, name, 0, 1, nullptr, nullptr, nullptr, Finish,
                                      &made->function) != napi_ok)
    throw Napi::Error::New(env, "cannot create a thread-safe function");
  napi_unref_threadsafe_function(env, made->function);
  // Hooks run in reverse order: this one before that of the function.
  napi_add_env_cleanup_hook(env, Close, static_cast<napi_env>(env));
  channel = made;
  return channel;
}

void Perform(std::unique_ptr<Call> call, const std::function<AsideValue()>& work) {
  try {
    call->value = work();
  } catch (const std::exception& error) {
    call->error = error.what();
  }
  const std::shared_ptr<Channel> channel = call->channel;
  const std::lock_guard guard(channel->mutex);
  if (channel->function == nullptr) return;
  if (napi_call_threadsafe_function(channel->function, call.get(), napi_tsfn_nonblocking) == napi_ok) {
    // `Finish` deletes it.
    static_cast<void>(call.release());
  }
}

}  // namespace

Napi::Value RunAside(const Napi::CallbackInfo& info, std::function<AsideValue()> work, EventLoop loop) {
  const Napi::Env env = info.Env();
  const std::shared_ptr<Channel> channel = ChannelOf(env);
  auto call = std::make_unique<Call>(Call{Napi::Promise::Deferred::New(env), channel, loop, {}, {}});
  const Napi::Promise promise = call->deferred.Promise();
  try {
    const SignalsBlocked blocked;
    std::thread([call = std::move(call), work = std::move(work)]() mutable {
      Perform(std::move(call), work);
    }).detach();
    if (loop == EventLoop::kWaits) channel->Await(env);
  } catch (const std::system_error& refused) {
    const Napi::Promise::Deferred failed = Napi::Promise::Deferred::New(env);
    failed.Reject(Napi::Error::New(env, refused.what()).Value());
    return failed.Promise();
  }
  return promise;
}

}  // namespace desk::addon
