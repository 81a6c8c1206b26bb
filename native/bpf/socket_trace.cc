#include "bpf/socket_trace.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "bpf/assembler.h"
#include "bpf/btf.h"
#include "bpf/btf_file.h"
#include "bpf/syscall.h"
#include "probe/sock_diag.h"

namespace desk::bpf {
namespace {

// A change is 24 bytes with its header.
constexpr std::size_t kRingBytes = 64 << 10;

// Functions after whose return the set of unconnected UDP sockets may be another. All of them are called
// through tables of operations or from other files, so that none can vanish into its caller.
struct Hook {
  const char* function;
  bool required;
};
constexpr Hook kUdpHooks[] = {
    {"udp_v4_get_port", true},
    {"udp_v6_get_port", true},
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
};

Result<SockAccess> ResolveSock(const Btf& btf) {
  const Result<std::uint32_t> sock = btf.Find(Kind::kStruct, "sock");
  if (!sock) return sock.refusal();
  const std::pair<const char*, Access SockAccess::*> paths[] = {
      {"__sk_common.skc_net.net.ns.inum", &SockAccess::network},
      {"__sk_common.skc_dport", &SockAccess::remote_port},
      {"sk_protocol", &SockAccess::protocol},
      {"__sk_common.skc_state", &SockAccess::state},
  };
  SockAccess access;
  for (const auto& [path, member] : paths) {
    const Result<Access> way = btf.Resolve(*sock, path);
    if (!way) return way.refusal();
    access.*member = *way;
  }
  return access;
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
Result<std::vector<bpf_insn>> StateProgram(const SockAccess& access, std::uint32_t network, int ring) {
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
  code.JumpIf(Compare::kEqual, Register::r2, kTcpListen, listener);
  code.JumpIf(Compare::kEqual, Register::r3, kTcpListen, listener);
  code.JumpIf(Compare::kEqual, Register::r2, kTcpEstablished, established);
  code.JumpIf(Compare::kNotEqual, Register::r3, kTcpEstablished, end);
  code.Place(established);
  code.Follow(Register::r7, Register::r6, access.remote_port, end);
  code.JumpIf(Compare::kNotEqual, Register::r7, htons(kHttpsPort), end);
  KeepOwn(code, access, network, end);
  const Label unused = code.NewLabel();
  Tell(code, ring, SocketChange::kHttps, unused);
  code.Place(listener);
  KeepOwn(code, access, network, end);
  Tell(code, ring, SocketChange::kTcpListener, end);
  return code.Finish();
}

// At the return of a function whose first argument is the socket. A connected one that is unhashed was no
// listener.
Result<std::vector<bpf_insn>> UdpProgram(const SockAccess& access, std::uint32_t network, int ring,
                                         bool unless_connected) {
  Assembler code(Reading::kDirect);
  const Label end = code.NewLabel();
  code.LoadFrom(Register::r6, Register::r1, 0, 8);
  code.Follow(Register::r7, Register::r6, access.protocol, end);
  code.JumpIf(Compare::kNotEqual, Register::r7, IPPROTO_UDP, end);
  if (unless_connected) {
    code.Follow(Register::r7, Register::r6, access.state, end);
    code.JumpIf(Compare::kEqual, Register::r7, kTcpEstablished, end);
  }
  KeepOwn(code, access, network, end);
  Tell(code, ring, SocketChange::kUdp, end);
  return code.Finish();
}

Result<Fd> AttachState(const SockAccess& access, std::uint32_t network, int ring) {
  const auto instructions = StateProgram(access, network, ring);
  if (!instructions) return instructions.refusal();
  const Result<Fd> program =
      LoadProgram({.type = kProgramRawTracepoint, .name = "desk_tcp", .instructions = *instructions});
  if (!program) return program.refusal();
  return OpenRawTracepoint(program->get(), "inet_sock_set_state");
}

Result<Fd> AttachUdp(const SockAccess& access, std::uint32_t network, int ring, std::uint32_t function,
                     bool unless_connected) {
  const auto instructions = UdpProgram(access, network, ring, unless_connected);
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

  const auto inode = static_cast<std::uint32_t>(network.st_ino);
  Result<Fd> state = AttachState(*access, inode, ring->map());
  if (!state) return both(state.error(), "tracepoint inet_sock_set_state (CAP_PERFMON)");
  links_.push_back(std::move(*state));
  ring_ = std::move(*ring);

  Told told;
  std::vector<Fd> hooks;
  for (const Hook& hook : kUdpHooks) {
    const Result<std::uint32_t> function = btf->Find(Kind::kFunction, hook.function);
    if (!function && !hook.required) continue;
    const bool unless_connected = std::string_view(hook.function) == "udp_lib_unhash";
    Result<Fd> attached = function ? AttachUdp(*access, inode, ring_.map(), *function, unless_connected)
                                   : Result<Fd>(function.refusal());
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
