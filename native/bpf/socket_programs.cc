#include "bpf/socket_programs.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <cstddef>

#include "bpf/assembler.h"
#include "bpf/maker_table.h"
#include "probe/sock_diag.h"

namespace desk::bpf {
namespace {

// Places in the frame, below the record of Report.
constexpr std::int32_t kMakerKey = -24;
constexpr std::int32_t kMakerValue = kMakerKey - static_cast<std::int32_t>(sizeof(ListenerMaker));

// What a cgroup program returns to permit the operation.
constexpr std::int32_t kPermit = 1;

// The inode of the socket in r6 as the key; jumps to `none` for a socket without a descriptor.
void PutKey(Assembler& code, const Access& inode, Label none) {
  code.Follow(Register::r7, Register::r6, inode, none);
  code.StoreTo(Register::fp, kMakerKey, Register::r7, 4);
}

void PutMap(Assembler& code, int map) {
  code.SetMap(Register::r1, map);
  code.FrameAddress(Register::r2, kMakerKey);
}

// Records the current process as the maker of the socket in r6. Uses r7 and r8.
void NoteMaker(Assembler& code, const Sink& sink) {
  if (sink.makers < 0) return;
  const Label none = code.NewLabel();
  PutKey(code, sink.maker.socket, none);
  for (std::int32_t at = 0; at < static_cast<std::int32_t>(sizeof(ListenerMaker)); at += 8)
    code.StoreConstant(Register::fp, kMakerValue + at, 0, 8);
  const auto keep = [&](std::size_t field, Register from, std::uint32_t bytes) {
    code.StoreTo(Register::fp, kMakerValue + static_cast<std::int32_t>(field), from, bytes);
  };
  code.Call(Helper::kCurrentPidTgid);
  code.Compute(Alu::kShiftRight, Register::r0, 32);
  keep(offsetof(ListenerMaker, pid), Register::r0, 4);
  code.Call(Helper::kCurrentTask);
  code.Move(Register::r8, Register::r0);
  const auto copy = [&](const Access& way, std::size_t field, std::uint32_t bytes) {
    const Label null = code.NewLabel();
    code.Follow(Register::r7, Register::r8, way, null);
    keep(field, Register::r7, bytes);
    code.Place(null);
  };
  copy(sink.maker.start, offsetof(ListenerMaker, start_ns), 8);
  copy(sink.maker.executable, offsetof(ListenerMaker, executable), 8);
  copy(sink.maker.executable_device, offsetof(ListenerMaker, executable_device), 4);
  copy(sink.maker.uid, offsetof(ListenerMaker, uid), 4);
  copy(sink.maker.euid, offsetof(ListenerMaker, euid), 4);
  PutMap(code, sink.makers);
  code.FrameAddress(Register::r3, kMakerValue);
  code.Set(Register::r4, 0);
  code.Call(Helper::kMapUpdate);
  code.Place(none);
}

// Removes the record of the socket in r6, which is no longer a listener. Uses r7.
void ForgetMaker(Assembler& code, const Sink& sink) {
  if (sink.makers < 0) return;
  const Label none = code.NewLabel();
  PutKey(code, sink.maker.socket, none);
  PutMap(code, sink.makers);
  code.Call(Helper::kMapDelete);
  code.Place(none);
}

// Jumps to `end` unless the socket in r6 belongs to the network namespace `network`.
void KeepOwn(Assembler& code, const SockAccess& access, std::uint32_t network, Label end) {
  code.Follow(Register::r7, Register::r6, access.network, end);
  // An immediate would be extended by its sign.
  code.Set64(Register::r8, network);
  code.JumpIf(Compare::kNotEqual, Register::r7, Register::r8, end);
}

// Jumps to `end` unless `protocol` is UDP or UDP-Lite.
void KeepUdp(Assembler& code, Register protocol, Label end) {
  const Label datagrams = code.NewLabel();
  code.JumpIf(Compare::kEqual, protocol, IPPROTO_UDP, datagrams);
  code.JumpIf(Compare::kNotEqual, protocol, IPPROTO_UDPLITE, end);
  code.Place(datagrams);
}

// Jumps to `end` if the UDP socket in r6 is connected: then it is not a listener.
void KeepUnconnected(Assembler& code, const SockAccess& access, Label end) {
  code.Follow(Register::r7, Register::r6, access.state, end);
  code.JumpIf(Compare::kEqual, Register::r7, kTcpEstablished, end);
}

// Jumps to `end` if the socket in r6 has no port.
void KeepBound(Assembler& code, const SockAccess& access, Label end) {
  code.Follow(Register::r7, Register::r6, access.port, end);
  code.JumpIf(Compare::kEqual, Register::r7, 0, end);
}

// Writes a Record of the change, the current process and the time.
void Report(Assembler& code, int ring, SocketChange change) {
  constexpr std::int32_t kRecord = -16;
  code.Call(Helper::kCurrentPidTgid);
  code.Compute(Alu::kShiftRight, Register::r0, 32);
  code.StoreTo(Register::fp, kRecord + 4, Register::r0, 4);
  code.Call(Helper::kKtimeNanoseconds);
  code.StoreTo(Register::fp, kRecord + 8, Register::r0, 8);
  code.StoreConstant(Register::fp, kRecord, static_cast<std::int32_t>(change), 4);
  code.SetMap(Register::r1, ring);
  code.FrameAddress(Register::r2, kRecord);
  code.Set(Register::r3, 16);
  code.Set(Register::r4, 0);
  code.Call(Helper::kRingBufferOutput);
}

// Places `end` and returns.
Program EndAt(Assembler& code, Label end, std::int32_t value) {
  code.Place(end);
  code.Return(value);
  return code.Finish();
}

}  // namespace

SockAccess ResolveSock(TypeWalk& walk) {
  const std::uint32_t sock = walk.Type(Kind::kStruct, "sock");
  return {.network = walk.Need(sock, "__sk_common.skc_net.net.ns.inum"),
          .remote_port = walk.Need(sock, "__sk_common.skc_dport"),
          .port = walk.Need(sock, "__sk_common.skc_num"),
          .protocol = walk.Need(sock, "sk_protocol"),
          .state = walk.Need(sock, "__sk_common.skc_state")};
}

MakerAccess ResolveMaker(TypeWalk& walk) {
  const std::uint32_t sock = walk.Type(Kind::kStruct, "sock");
  const std::uint32_t task = walk.Type(Kind::kStruct, "task_struct");
  return {.socket = walk.Need(sock, "sk_socket.file.f_inode.i_ino"),
          .start = walk.Need(task, "group_leader.start_boottime"),
          .executable = walk.Need(task, "mm.exe_file.f_inode.i_ino"),
          .executable_device = walk.Need(task, "mm.exe_file.f_inode.i_sb.s_dev"),
          .uid = walk.Need(task, "real_cred.uid"),
          .euid = walk.Need(task, "real_cred.euid")};
}

// inet_sock_set_state(const struct sock *sk, const int oldstate, const int newstate),
// include/trace/events/sock.h: the context is the three arguments.
Program StateProgram(const SockAccess& access, const Sink& sink) {
  Assembler code(Reading::kHelper);
  const Label end = code.NewLabel();
  const Label listener = code.NewLabel();
  const Label connection = code.NewLabel();
  const Label established = code.NewLabel();
  code.LoadFrom(Register::r6, Register::r1, 0, 8);
  code.LoadFrom(Register::r2, Register::r1, 8, 8);
  code.LoadFrom(Register::r3, Register::r1, 16, 8);
  // The arguments are ints: the upper halves are undefined.
  code.Compute(Alu::kAnd, Register::r2, 0xFF);
  code.Compute(Alu::kAnd, Register::r3, 0xFF);
  code.Move(Register::r9, Register::r3);
  code.JumpIf(Compare::kEqual, Register::r3, kTcpListen, listener);
  // An accepted connection starts as a copy of its listener, and leaves LISTEN too (inet_csk_clone_lock()).
  code.JumpIf(Compare::kNotEqual, Register::r2, kTcpListen, connection);
  code.JumpIf(Compare::kEqual, Register::r3, kTcpClose, listener);
  code.Place(connection);
  code.JumpIf(Compare::kEqual, Register::r2, kTcpEstablished, established);
  code.JumpIf(Compare::kNotEqual, Register::r3, kTcpEstablished, end);
  code.Place(established);
  code.Follow(Register::r7, Register::r6, access.remote_port, end);
  code.JumpIf(Compare::kNotEqual, Register::r7, htons(kHttpsPort), end);
  KeepOwn(code, access, sink.network, end);
  Report(code, sink.ring, SocketChange::kHttps);
  code.Return(0);
  code.Place(listener);
  KeepOwn(code, access, sink.network, end);
  const Label closes = code.NewLabel();
  const Label done = code.NewLabel();
  code.JumpIf(Compare::kNotEqual, Register::r9, kTcpListen, closes);
  NoteMaker(code, sink);
  code.JumpIf(Compare::kEqual, Register::r9, kTcpListen, done);
  code.Place(closes);
  ForgetMaker(code, sink);
  code.Place(done);
  Report(code, sink.ring, SocketChange::kTcpListener);
  return EndAt(code, end, 0);
}

Program UdpExitProgram(const SockAccess& access, const Sink& sink, Note note) {
  // By the helper: pointers inside the task are not typed.
  Assembler code(Reading::kHelper);
  const Label end = code.NewLabel();
  code.LoadFrom(Register::r6, Register::r1, 0, 8);
  code.Follow(Register::r7, Register::r6, access.protocol, end);
  KeepUdp(code, Register::r7, end);
  KeepOwn(code, access, sink.network, end);
  if (note == Note::kDrop) {
    ForgetMaker(code, sink);
    KeepUnconnected(code, access, end);
  }
  if (note == Note::kTake) NoteMaker(code, sink);
  Report(code, sink.ring, SocketChange::kUdp);
  return EndAt(code, end, 0);
}

// The context of CGROUP_SOCK is the struct sock (net/core/filter.c, sock_filter_convert_ctx_access()): the
// helper may read all of it, the program itself only what struct bpf_sock names.
Program UdpBoundProgram(const SockAccess& access, const Sink& sink) {
  Assembler code(Reading::kHelper);
  const Label end = code.NewLabel();
  code.Move(Register::r6, Register::r1);
  code.LoadFrom(Register::r7, Register::r1, offsetof(bpf_sock, protocol), 4);
  KeepUdp(code, Register::r7, end);
  KeepOwn(code, access, sink.network, end);
  NoteMaker(code, sink);
  Report(code, sink.ring, SocketChange::kUdp);
  return EndAt(code, end, kPermit);
}

Program UdpReleaseProgram(const SockAccess& access, const Sink& sink) {
  Assembler code(Reading::kHelper);
  const Label end = code.NewLabel();
  code.Move(Register::r6, Register::r1);
  code.LoadFrom(Register::r7, Register::r1, offsetof(bpf_sock, protocol), 4);
  KeepUdp(code, Register::r7, end);
  KeepOwn(code, access, sink.network, end);
  ForgetMaker(code, sink);
  KeepUnconnected(code, access, end);
  KeepBound(code, access, end);
  Report(code, sink.ring, SocketChange::kUdp);
  return EndAt(code, end, kPermit);
}

// A client that connects without bind(2) was never a listener: it is not reported.
Program UdpConnectProgram(const SockAccess& access, const Access& socket, const Sink& sink) {
  Assembler code(Reading::kHelper);
  const Label end = code.NewLabel();
  code.Move(Register::r9, Register::r1);
  code.LoadFrom(Register::r7, Register::r1, offsetof(bpf_sock_addr, protocol), 4);
  KeepUdp(code, Register::r7, end);
  code.Follow(Register::r6, Register::r9, socket, end);
  KeepOwn(code, access, sink.network, end);
  KeepUnconnected(code, access, end);
  KeepBound(code, access, end);
  Report(code, sink.ring, SocketChange::kUdpConnect);
  return EndAt(code, end, kPermit);
}

}  // namespace desk::bpf
