// For threads of our own: signals belong to the other threads of the process.
#pragma once

#include <pthread.h>

#include <csignal>

namespace desk {

// Blocks every signal of the calling thread, and of the threads that it starts, until it is destroyed.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all{};
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace desk
