// The programs of SocketTrace: each writes changes of sockets of one network namespace to a ring buffer.
#pragma once

#include <linux/bpf.h>

#include <cstdint>
#include <vector>

#include "bpf/btf.h"
#include "bpf/socket_trace.h"
#include "bpf/type_walk.h"
#include "core/result.h"

namespace desk::bpf {

// Ways from struct sock.
struct SockAccess {
  Access network;  // inode number of its network namespace
  Access remote_port;
  Access port;  // in host order; 0 = none
  Access protocol;
  Access state;
};

// Ways to a note: its key from struct sock, the members of ListenerMaker from struct task_struct.
struct MakerAccess {
  Access socket;  // inode number of the file that the socket's descriptors share
  Access start;
  Access executable;
  Access executable_device;
  Access uid;
  Access euid;
};

// What the programs write to; without a table they take no notes.
struct Sink {
  std::uint32_t network = 0;
  int ring = -1;
  int makers = -1;
  MakerAccess maker{};
};

SockAccess ResolveSock(TypeWalk& walk);
MakerAccess ResolveMaker(TypeWalk& walk);

using Program = Result<std::vector<bpf_insn>>;

// The raw tracepoint inet_sock_set_state.
Program StateProgram(const SockAccess& access, const Sink& sink);

// What a change of a UDP socket does to the notes.
enum class Note : std::uint8_t { kKeep, kTake, kDrop };

// At the return of a kernel function whose first argument is the socket; kDrop where it gives up its port.
Program UdpExitProgram(const SockAccess& access, const Sink& sink, Note note);
// Types of program CGROUP_SOCK and CGROUP_SOCK_ADDR: they permit everything.
Program UdpBoundProgram(const SockAccess& access, const Sink& sink);
Program UdpReleaseProgram(const SockAccess& access, const Sink& sink);
// `socket`: from struct bpf_sock_addr_kern to struct sock.
Program UdpConnectProgram(const SockAccess& access, const Access& socket, const Sink& sink);

}  // namespace desk::bpf
