// Ends the poll(2) of a thread of ours.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "core/fd.h"

namespace desk {

class Bell {
 public:
  Bell() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), error_(event_.valid() ? 0 : errno) {}

  // Errno where no descriptor was available, else 0.
  int error() const { return error_; }
  // Readable (POLLIN) once it was rung, until Silence.
  int fd() const { return event_.get(); }

  // From any thread.
  void Ring() {
    const std::uint64_t one = 1;
    // An eventfd accepts this unless its counter is full.
    while (::write(event_.get(), &one, sizeof(one)) < 0 && errno == EINTR) {
    }
  }
  void Silence() {
    std::uint64_t rings = 0;
    while (::read(event_.get(), &rings, sizeof(rings)) < 0 && errno == EINTR) {
    }
  }

 private:
  Fd event_;
  int error_;
};

}  // namespace desk
