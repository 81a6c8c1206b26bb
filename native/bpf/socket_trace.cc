#include "bpf/socket_trace.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "bpf/assembler.h"
#include "bpf/btf.h"
#include "bpf/btf_file.h"
#include "bpf/initial_namespaces.h"
#include "bpf/maker_table.h"
#include "bpf/syscall.h"
#include "probe/sock_diag.h"

namespace desk::bpf {
namespace {

// A change is 24 bytes with its header.
constexpr std::size_t kRingBytes = 64 << 10;

// Functions after whose return the set of unconnected UDP sockets may be another. All of them are called
// through tables of operations or from other files, so that none can vanish into its caller.
struct Hook {
  const char* function = "";
  bool required = false;
  // Gives the socket its port: who calls it made the listener.
  bool binds = false;
};
constexpr Hook kUdpHooks[] = {
    {"udp_v4_get_port", true, true},
    {"udp_v6_get_port", true, true},
    {"udp_lib_unhash", true},
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
  Access inode;  // of the file that the socket's descriptors share
};

// Ways from struct task_struct to the members of ListenerMaker.
struct MakerAccess {
  Access start;
  Access executable;
  Access executable_device;
  Access uid;
  Access euid;
};

// What the programs write to; no table, no notes.
struct Sink {
  std::uint32_t network = 0;
  int ring = -1;
  int makers = -1;
  MakerAccess maker{};
};

Result<SockAccess> ResolveSock(const Btf& btf) {
  const Result<std::uint32_t> sock = btf.Find(Kind::kStruct, "sock");
  if (!sock) return sock.refusal();
  const std::pair<const char*, Access SockAccess::*> paths[] = {
      {"__sk_common.skc_net.net.ns.inum", &SockAccess::network},
      {"__sk_common.skc_dport", &SockAccess::remote_port},
      {"sk_protocol", &SockAccess::protocol},
      {"__sk_common.skc_state", &SockAccess::state},
      {"sk_socket.file.f_inode.i_ino", &SockAccess::inode},
  };
  SockAccess access;
  for (const auto& [path, member] : paths) {
    const Result<Access> way = btf.Resolve(*sock, path);
    if (!way) return way.refusal();
    access.*member = *way;
  }
  return access;
}

Result<MakerAccess> ResolveMaker(const Btf& btf) {
  const Result<std::uint32_t> task = btf.Find(Kind::kStruct, "task_struct");
  if (!task) return task.refusal();
  const std::pair<const char*, Access MakerAccess::*> paths[] = {
      {"group_leader.start_boottime", &MakerAccess::start},
      {"mm.exe_file.f_inode.i_ino", &MakerAccess::executable},
      {"mm.exe_file.f_inode.i_sb.s_dev", &MakerAccess::executable_device},
      {"real_cred.uid", &MakerAccess::uid},
      {"real_cred.euid", &MakerAccess::euid},
  };
  MakerAccess access;
  for (const auto& [path, member] : paths) {
    const Result<Access> way = btf.Resolve(*task, path);
    if (!way) return way.refusal();
    access.*member = *way;
  }
  return access;
}

// Places in the frame, below the record of Tell.
constexpr std::int32_t kMakerKey = -24;
constexpr std::int32_t kMakerValue = kMakerKey - static_cast<std::int32_t>(sizeof(ListenerMaker));

// The inode of the socket in r6 as the key; leaves to `none` for a socket that no descriptor can name.
void PutKey(Assembler& code, const SockAccess& access, Label none) {
  code.StoreConstant(Register::fp, kMakerKey, 0, 8);
  code.Follow(Register::r7, Register::r6, access.inode, none);
  code.StoreTo(Register::fp, kMakerKey, Register::r7, 4);
}

void PutMap(Assembler& code, int map) {
  code.SetMap(Register::r1, map);
  code.Move(Register::r2, Register::fp);
  code.Compute(Alu::kAdd, Register::r2, kMakerKey);
}

// Notes who runs as the maker of the socket in r6. Uses r7 and r8.
void NoteMaker(Assembler& code, const SockAccess& access, const Sink& sink) {
  if (sink.makers < 0) return;
  const Label none = code.NewLabel();
  PutKey(code, access, none);
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
  code.Move(Register::r3, Register::fp);
  code.Compute(Alu::kAdd, Register::r3, kMakerValue);
  code.Set(Register::r4, 0);
  code.Call(Helper::kMapUpdate);
  code.Place(none);
}

// The socket in r6 is no listener any more. Uses r7.
void ForgetMaker(Assembler& code, const SockAccess& access, const Sink& sink) {
  if (sink.makers < 0) return;
  const Label none = code.NewLabel();
  PutKey(code, access, none);
  PutMap(code, sink.makers);
  code.Call(Helper::kMapDelete);
  code.Place(none);
}

// Leaves the program unless the socket in r6 is of the network namespace `network`.
void KeepOwn(Assembler& code, const SockAccess& access, std::uint32_t network, Label end) {
  code.Follow(Register::r7, Register::r6, access.network, end);
  // An immediate would be extended by its sign.
  code.Set64(Register::r8, network);
  code.JumpIf(Compare::kNotEqual, Register::r7, Register::r8, end);
}

// Writes a Record of the change, of who runs, and of now, places `end`, and leaves.
void Tell(Assembler& code, int ring, SocketChange change, Label end) {
  constexpr std::int32_t kRecord = -16;
  code.Call(Helper::kCurrentPidTgid);
  code.Compute(Alu::kShiftRight, Register::r0, 32);
  code.StoreTo(Register::fp, kRecord + 4, Register::r0, 4);
  code.Call(Helper::kKtimeNanoseconds);
  code.StoreTo(Register::fp, kRecord + 8, Register::r0, 8);
  code.StoreConstant(Register::fp, kRecord, static_cast<std::int32_t>(change), 4);
  code.SetMap(Register::r1, ring);
  code.Move(Register::r2, Register::fp);
  code.Compute(Alu::kAdd, Register::r2, kRecord);
  code.Set(Register::r3, 16);
  code.Set(Register::r4, 0);
  code.Call(Helper::kRingBufferOutput);
  code.Place(end);
  code.Set(Register::r0, 0);
  code.Exit();
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
  // Arguments are ints: what stands above them is not promised.
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
  Tell(code, sink.ring, SocketChange::kHttps, unused);
  code.Place(listener);
  KeepOwn(code, access, sink.network, end);
  const Label closes = code.NewLabel();
  const Label told = code.NewLabel();
  code.JumpIf(Compare::kNotEqual, Register::r9, kTcpListen, closes);
  NoteMaker(code, access, sink);
  code.JumpIf(Compare::kEqual, Register::r9, kTcpListen, told);
  code.Place(closes);
  ForgetMaker(code, access, sink);
  code.Place(told);
  Tell(code, sink.ring, SocketChange::kTcpListener, end);
  return code.Finish();
}

// At the return of a function whose first argument is the socket. A connected one that is unhashed was no
// listener.
Result<std::vector<bpf_insn>> UdpProgram(const SockAccess& access, const Sink& sink, const Hook& hook) {
  // Through the helper: what the task points at is no typed pointer.
  Assembler code(Reading::kHelper);
  const Label end = code.NewLabel();
  code.LoadFrom(Register::r6, Register::r1, 0, 8);
  code.Follow(Register::r7, Register::r6, access.protocol, end);
  code.JumpIf(Compare::kNotEqual, Register::r7, IPPROTO_UDP, end);
  const bool unless_connected = std::string_view(hook.function) == "udp_lib_unhash";
  if (unless_connected) {
    code.Follow(Register::r7, Register::r6, access.state, end);
    code.JumpIf(Compare::kEqual, Register::r7, kTcpEstablished, end);
  }
  KeepOwn(code, access, sink.network, end);
  if (hook.binds) NoteMaker(code, access, sink);
  Tell(code, sink.ring, SocketChange::kUdp, end);
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

}  // namespace

SocketTrace::Told SocketTrace::Open() {
  const auto both = [](int error, const char* step) { return Told{{error, step}, {error, step}}; };
  struct stat network {};
  if (::stat("/proc/thread-self/ns/net", &network) != 0) return both(errno, "own network namespace");
  // First what costs nothing: an ordinary user is refused here.
  Result<RingBuffer> ring = RingBuffer::Create(kRingBytes, "desk_sockets");
  if (!ring) return both(ring.error(), "ring buffer (Linux 5.8, CAP_BPF)");
  const Result<BtfFile> file = BtfFile::Read();
  if (!file) return both(file.error(), kBtfPath);
  const Result<Btf> btf = Btf::Parse(file->bytes());
  if (!btf) return both(btf.error(), "types of /sys/kernel/btf/vmlinux");
  const Result<SockAccess> access = ResolveSock(*btf);
  if (!access) return both(access.error(), "members of struct sock");

  Sink sink;
  sink.network = static_cast<std::uint32_t>(network.st_ino);
  sink.ring = ring->map();
  const Result<MakerAccess> maker = ResolveMaker(*btf);
  Result<MakerTable> makers = maker && !OutsideInitialNamespaces() ? MakerTable::Create() : Errno{EXDEV};
  if (makers) {
    makers_ = std::make_shared<const MakerTable>(std::move(*makers));
    sink.makers = makers_->map();
    sink.maker = *maker;
  }
  Result<Fd> state = AttachState(*access, sink);
  if (!state) return both(state.error(), "tracepoint inet_sock_set_state (CAP_PERFMON)");
  links_.push_back(std::move(*state));
  ring_ = std::move(*ring);
  PublishMakers(makers_);

  Told told;
  std::vector<Fd> hooks;
  for (const Hook& hook : kUdpHooks) {
    const Result<std::uint32_t> function = btf->Find(Kind::kFunction, hook.function);
    if (!function && !hook.required) continue;
    Result<Fd> attached =
        function ? AttachUdp(*access, sink, hook, *function) : Result<Fd>(function.refusal());
    if (!attached) {
      told.udp = {attached.error(), std::string("exit of ") + hook.function};
      return told;
    }
    hooks.push_back(std::move(*attached));
  }
  std::ranges::move(hooks, std::back_inserter(links_));
  return told;
}

}  // namespace desk::bpf
