#include "bpf/socket_trace.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bpf/assembler.h"
#include "bpf/btf.h"
#include "bpf/btf_file.h"
#include "bpf/maker_table.h"
#include "bpf/syscall.h"
#include "bpf/tracing.h"
#include "bpf/type_walk.h"
#include "probe/sock_diag.h"

namespace desk::bpf {
namespace {

// A change is 24 bytes with its header.
constexpr std::size_t kRingBytes = 64 << 10;

// Functions after whose return the set of unconnected UDP sockets may have changed. All of them are called
// through tables of operations or from other files, so none can be inlined.
struct Hook {
  const char* function = "";
  bool required = false;
  // Assigns the port: the caller made the listener.
  bool binds = false;
  // Releases the port: the note is removed; a connected socket was not a listener.
  bool unhashes = false;
};
constexpr Hook kUdpHooks[] = {
    {"udp_v4_get_port", true, true},
    {"udp_v6_get_port", true, true},
    {.function = "udp_lib_unhash", .required = true, .unhashes = true},
    {"udp_disconnect", true},
    // The operation `connect`, under its names in different kernels.
    {"ip4_datagram_connect", false},
    {"ip6_datagram_connect", false},
    {"udp_connect", false},
    {"udpv6_connect", false},
};

// Ways from struct sock.
struct SockAccess {
  Access network;  // inode number of its network namespace
  Access remote_port;
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

SockAccess ResolveSock(TypeWalk& walk) {
  const std::uint32_t sock = walk.Type(Kind::kStruct, "sock");
  return {.network = walk.Need(sock, "__sk_common.skc_net.net.ns.inum"),
          .remote_port = walk.Need(sock, "__sk_common.skc_dport"),
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

// Places in the frame, below the record of Report.
constexpr std::int32_t kMakerKey = -24;
constexpr std::int32_t kMakerValue = kMakerKey - static_cast<std::int32_t>(sizeof(ListenerMaker));

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

// Writes a Record of the change, the current process and the time, places `end`, and returns.
void Report(Assembler& code, int ring, SocketChange change, Label end) {
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
  code.Place(end);
  code.Return();
}

// inet_sock_set_state(const struct sock *sk, const int oldstate, const int newstate),
// include/trace/events/sock.h: the context is the three arguments.
Result<std::vector<bpf_insn>> StateProgram(const SockAccess& access, const Sink& sink) {
  Assembler code(Reading::kHelper);
  const Label end = code.NewLabel();
  const Label listener = code.NewLabel();
  const Label established = code.NewLabel();
  code.LoadFrom(Register::r6, Register::r1, 0, 8);
  code.LoadFrom(Register::r2, Register::r1, 8, 8);
  code.LoadFrom(Register::r3, Register::r1, 16, 8);
  // The arguments are ints: the upper halves are undefined.
  code.Compute(Alu::kAnd, Register::r2, 0xFF);
  code.Compute(Alu::kAnd, Register::r3, 0xFF);
  code.Move(Register::r9, Register::r3);
  code.JumpIf(Compare::kEqual, Register::r2, kTcpListen, listener);
  code.JumpIf(Compare::kEqual, Register::r3, kTcpListen, listener);
  code.JumpIf(Compare::kEqual, Register::r2, kTcpEstablished, established);
  code.JumpIf(Compare::kNotEqual, Register::r3, kTcpEstablished, end);
  code.Place(established);
  code.Follow(Register::r7, Register::r6, access.remote_port, end);
  code.JumpIf(Compare::kNotEqual, Register::r7, htons(kHttpsPort), end);
  KeepOwn(code, access, sink.network, end);
  const Label unused = code.NewLabel();
  Report(code, sink.ring, SocketChange::kHttps, unused);
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
  Report(code, sink.ring, SocketChange::kTcpListener, end);
  return code.Finish();
}

// At the return of a function whose first argument is the socket.
Result<std::vector<bpf_insn>> UdpProgram(const SockAccess& access, const Sink& sink, const Hook& hook) {
  // By the helper: pointers inside the task are not typed.
  Assembler code(Reading::kHelper);
  const Label end = code.NewLabel();
  code.LoadFrom(Register::r6, Register::r1, 0, 8);
  code.Follow(Register::r7, Register::r6, access.protocol, end);
  const Label datagrams = code.NewLabel();
  code.JumpIf(Compare::kEqual, Register::r7, IPPROTO_UDP, datagrams);
  code.JumpIf(Compare::kNotEqual, Register::r7, IPPROTO_UDPLITE, end);
  code.Place(datagrams);
  KeepOwn(code, access, sink.network, end);
  if (hook.unhashes) {
    ForgetMaker(code, sink);
    code.Follow(Register::r7, Register::r6, access.state, end);
    code.JumpIf(Compare::kEqual, Register::r7, kTcpEstablished, end);
  }
  if (hook.binds) NoteMaker(code, sink);
  Report(code, sink.ring, SocketChange::kUdp, end);
  return code.Finish();
}

Result<Fd> AttachState(const SockAccess& access, const Sink& sink) {
  const auto instructions = StateProgram(access, sink);
  if (!instructions) return instructions.refusal();
  const Result<Fd> program =
      LoadProgram({.type = kProgramRawTracepoint, .name = "desk_tcp", .instructions = *instructions});
  if (!program) return program.refusal();
  return OpenRawTracepoint(program->get(), "inet_sock_set_state");
}

Result<Fd> AttachUdp(const SockAccess& access, const Sink& sink, const Hook& hook, std::uint32_t function) {
  const auto instructions = UdpProgram(access, sink, hook);
  if (!instructions) return instructions.refusal();
  const Result<Fd> program = LoadProgram({.type = kProgramTracing,
                                          .attach_type = kAttachFunctionExit,
                                          .attach_btf_id = function,
                                          .name = "desk_udp",
                                          .instructions = *instructions});
  if (!program) return program.refusal();
  // Without a name it attaches where the program was loaded for (bpf_raw_tp_link_attach()).
  return OpenRawTracepoint(program->get(), nullptr);
}

// Both or none.
Result<MakerTables> ShareMakers() {
  const auto tcp = MakerTable::Share(MakerTable::Sockets::kTcp);
  if (!tcp) return tcp.refusal();
  const auto udp = MakerTable::Share(MakerTable::Sockets::kUdp);
  if (!udp) return udp.refusal();
  return MakerTables{.tcp = *tcp, .udp = *udp};
}

int MapOf(const std::shared_ptr<const MakerTable>& table) { return table ? table->map() : -1; }

}  // namespace

SocketTrace::Status SocketTrace::Open() {
  const auto none = [](int error, const std::string& step) {
    const Unavailable reason{error, step};
    return Status{reason, reason, reason};
  };
  struct stat network {};
  if (::stat("/proc/thread-self/ns/net", &network) != 0) return none(errno, "own network namespace");
  // The cheapest step first: an ordinary user is refused here.
  Result<RingBuffer> ring = RingBuffer::Create(kRingBytes, "desk_sockets");
  if (!ring) return none(ring.error(), "ring buffer (Linux 5.8, CAP_BPF)");
  const Result<BtfFile> file = BtfFile::Read();
  if (!file) return none(file.error(), kBtfPath);
  const Result<Btf> btf = Btf::Parse(file->bytes());
  if (!btf) return none(btf.error(), "types of /sys/kernel/btf/vmlinux");
  TypeWalk walk(*btf);
  const SockAccess access = ResolveSock(walk);
  if (walk.error() != 0) return none(walk.error(), "member " + walk.missing() + " of the kernel's types");

  Sink sink;
  sink.network = static_cast<std::uint32_t>(network.st_ino);
  sink.ring = ring->map();
  Status status;
  TypeWalk maker_walk(*btf);
  sink.maker = ResolveMaker(maker_walk);
  MakerTables makers;
  if (const std::optional<Unavailable> outside = OutsideInitialNamespaces())
    status.makers = {outside->error, "initial " + outside->step + " namespace"};
  else if (maker_walk.error() != 0)
    status.makers = {maker_walk.error(), "member " + maker_walk.missing() + " of the kernel's types"};
  else if (Result<MakerTables> shared = ShareMakers(); !shared)
    status.makers = {shared.error(), "table of makers"};
  else
    makers = std::move(*shared);
  sink.makers = MapOf(makers.tcp);
  Result<Fd> state = AttachState(access, sink);
  if (!state) return none(state.error(), "tracepoint inet_sock_set_state (CAP_PERFMON)");
  links_.push_back(std::move(*state));
  ring_ = std::move(*ring);
  makers_.tcp = std::move(makers.tcp);

  sink.makers = MapOf(makers.udp);
  std::vector<Fd> hooks;
  for (const Hook& hook : kUdpHooks) {
    const Result<std::uint32_t> function = btf->Find(Kind::kFunction, hook.function);
    if (!function && !hook.required) continue;
    Result<Fd> attached =
        function ? AttachUdp(access, sink, hook, *function) : Result<Fd>(function.refusal());
    if (!attached) {
      status.udp = {attached.error(), std::string("exit of ") + hook.function};
      return status;
    }
    hooks.push_back(std::move(*attached));
  }
  std::ranges::move(hooks, std::back_inserter(links_));
  makers_.udp = std::move(makers.udp);
  return status;
}

}  // namespace desk::bpf
