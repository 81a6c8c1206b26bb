// Process events of the whole machine over NETLINK_CONNECTOR (Documentation/driver-api/connector.rst,
// drivers/connector/cn_proc.c): open to all users since 6.6, before with CAP_NET_ADMIN, and only in the
// initial network, pid and user namespaces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/fd.h"
#include "core/unavailable.h"
#include "watch/connector_decode.h"

namespace desk {

// The result of one Receive.
struct ProcBatch {
  std::vector<ProcEvent> events;
  std::uint32_t lost = 0;      // missing events: gaps in the sequence, or malformed messages
  std::uint32_t overruns = 0;  // times the kernel said that the buffer was full
  bool more = false;           // the socket may hold more
  int broken = 0;              // errno after which no more events come
};

class ProcConnector {
 public:
  ProcConnector();
  ProcConnector(const ProcConnector&) = delete;
  ProcConnector& operator=(const ProcConnector&) = delete;
  // Unsubscribes: otherwise the kernel keeps generating events (proc_event_num_listeners).
  ~ProcConnector();

  // Subscribes, and waits up to 200 ms for the kernel's acknowledgement. Without CAP_NET_ADMIN it first asks
  // desk-namespaces for a socket, which may take as long as OpenConnector(). `buffer_bytes` 0 = the default.
  // Empty when it worked.
  Unavailable Open(std::uint32_t buffer_bytes);

  int fd() const { return socket_.get(); }
  // Size of the receive buffer as the kernel keeps it.
  std::uint32_t BufferBytes() const;
  // About how many events it holds.
  std::size_t Room() const;

  // Reads what is waiting, up to one batch, without blocking. `batch` is overwritten.
  void Receive(ProcBatch& batch);

 private:
  Unavailable OpenOwn(std::uint32_t buffer_bytes);
  Unavailable OpenThroughService(std::uint32_t buffer_bytes);
  // Keeps the socket if the kernel acknowledges the subscription.
  Unavailable Await(Fd subscribed, std::uint32_t number);
  Unavailable AwaitAcknowledgement(std::uint32_t number);

  struct Inbox;

  Fd socket_;
  std::unique_ptr<Inbox> inbox_;
  SequenceCheck sequences_;
};

}  // namespace desk
