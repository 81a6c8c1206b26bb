// A thread of ours that calls a JavaScript function.
#pragma once

#include <napi.h>

#include <memory>
#include <utility>

#include "addon/boundary.h"

namespace desk::addon {

// A `Source` with such a thread, which ends with the source.
template <class Source>
class Waker {
 public:
  // The function is called in this JavaScript thread and does not keep node running.
  Waker(Napi::Env env, const Napi::Function& called, const char* name)
      : call_(Napi::ThreadSafeFunction::New(env, called, name, 0, 1)) {
    call_.Unref(env);
  }

  // From any thread.
  const Napi::ThreadSafeFunction& call() const { return call_; }
  // Null before Keep.
  Source* source() const { return source_.get(); }

  // From now on until Release: the end of the environment stops the thread.
  void Keep(Napi::Env env, std::unique_ptr<Source> source) {
    source_ = std::move(source);
    // Hooks run in reverse order: this one joins the thread before the function that it calls is destroyed.
    napi_add_env_cleanup_hook(env, StopAtEnd, this);
  }
  void Release(Napi::Env env) {
    napi_remove_env_cleanup_hook(env, StopAtEnd, this);
    Stop();
  }
  // The thread has to end before the function is destroyed; calls it queued are dropped.
  void Stop() {
    source_.reset();
    call_.Abort();
  }

 private:
  static void StopAtEnd(void* waker) { static_cast<Waker*>(waker)->Stop(); }

  std::unique_ptr<Source> source_;
  Napi::ThreadSafeFunction call_;
};

// The wakers of one environment, which the functions that were exported with it share. It lives from the
// loading of the addon to the end of the environment.
template <class Source>
struct Wakers {
  Handles<Waker<Source>> handles;

  static Wakers& Of(const Napi::CallbackInfo& info) { return *static_cast<Wakers*>(info.Data()); }
};

// Makes `state` live until the end of the environment.
template <class State>
State* LiveUntilEnd(Napi::Env env, State* state) {
  env.AddCleanupHook([](State* ended) { delete ended; }, state);
  return state;
}

}  // namespace desk::addon
