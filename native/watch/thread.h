// Threads of our own.
#pragma once

#include <pthread.h>

#include <system_error>
#include <thread>
#include <utility>

#include "core/result.h"
#include "core/signals_blocked.h"

namespace desk {

// A thread of this name that runs `run()`, without signals. A refusal where no thread is available.
template <class Run>
Result<std::thread> StartThread(const char* name, Run run) {
  try {
    const SignalsBlocked blocked;
    return std::thread([name, run = std::move(run)] {
      ::pthread_setname_np(::pthread_self(), name);
      run();
    });
  } catch (const std::system_error& refused) {
    return Errno{refused.code().value()};
  }
}

}  // namespace desk
