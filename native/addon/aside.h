// Work that may block in the kernel forever, such as reading a sensor whose driver hangs or a file on a
// server that does not answer: each call runs on a thread of its own, so that neither JavaScript nor a worker
// waits. A thread that never returns costs its stack and does not keep the process from ending.
#pragma once

#include <napi.h>

#include <cstdint>
#include <functional>

namespace desk::addon {

// Makes the value of a finished call, on the JavaScript thread.
using AsideValue = std::function<Napi::Value(Napi::Env)>;

// Whether the event loop may end while a call runs: it may for reads, which can hang, and waits for actions.
enum class EventLoop : std::uint8_t { kMayEnd, kWaits };

// Runs `work` on a thread of its own. The promise of the value that its result makes; rejected when no thread
// can be started, or when the work or its result throws. It never settles when the environment ends before.
Napi::Value RunAside(const Napi::CallbackInfo& info, std::function<AsideValue()> work,
                     EventLoop loop = EventLoop::kMayEnd);

}  // namespace desk::addon
