// Work that may block in the kernel without end, such as a sensor whose driver hangs or a file of a server
// that does not answer: each call gets a thread of its own, so that neither JavaScript nor a worker waits for
// it. A thread that never comes back costs its stack and does not keep the process from ending.
#pragma once

#include <napi.h>

#include <cstdint>
#include <functional>

namespace desk::addon {

// Makes the value of a finished call, on the thread of JavaScript.
using AsideValue = std::function<Napi::Value(Napi::Env)>;

// Whether the event loop may end while a call waits: it may where a look can hang, it waits for an act.
enum class EventLoop : std::uint8_t { kMayEnd, kWaits };

// Runs `work` on a thread of its own. The promise of the value that its result makes; rejected when there is
// no thread to be had, or when the work or the making of the value throws. It never settles when the
// environment ends before.
Napi::Value RunAside(const Napi::CallbackInfo& info, std::function<AsideValue()> work,
                     EventLoop loop = EventLoop::kMayEnd);

}  // namespace desk::addon
