#include "bpf/socket_trace.h"

#include <linux/bpf.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bpf/btf.h"
#include "bpf/btf_file.h"
#include "bpf/cgroup_root.h"
#include "bpf/maker_table.h"
#include "bpf/socket_programs.h"
#include "bpf/syscall.h"
#include "bpf/tracing.h"
#include "bpf/type_walk.h"
#include "core/errno_name.h"

namespace desk::bpf {
namespace {

// A change is 24 bytes with its header.
constexpr std::size_t kRingBytes = 64 << 10;

// Functions after whose return the set of unconnected UDP sockets may have changed. All of them are called
// through tables of operations or from other files, so none can be inlined.
struct Hook {
  const char* function = "";
  bool required = false;
  // Assigning the port takes the note: the caller made the listener. Releasing it drops the note.
  Note note = Note::kKeep;
};
constexpr Hook kUdpHooks[] = {
    {"udp_v4_get_port", true, Note::kTake},
    {"udp_v6_get_port", true, Note::kTake},
    {"udp_lib_unhash", true, Note::kDrop},
    {"udp_disconnect", true},
    // The operation `connect`, under its names in different kernels.
    {"ip4_datagram_connect", false},
    {"ip6_datagram_connect", false},
    {"udp_connect", false},
    {"udpv6_connect", false},
};

// Where the functions cannot be hooked: hooks of the root cgroup, which run for the sockets of every process.
// There is none after an assignment of a port without bind(2) (sendto(2) or connect(2) of a new socket, also
// a failed one), after a disconnect (connect(2) with AF_UNSPEC, SOCK_DESTROY), and none when the kernel
// closes a socket of its own: the pass over everything finds these. BPF_CGROUP_UDP4_SENDMSG would find most
// of the first kind, but runs at every datagram of all unconnected sockets, 0.1 to 0.2 us each, and not
// before the errors that leave the socket bound.
struct CgroupHook {
  const char* name;
  std::uint32_t program;
  std::uint32_t attach;
  Program (*assemble)(const SockAccess& access, const Access& socket, const Sink& sink);
};
Program Bound(const SockAccess& access, const Access& /*socket*/, const Sink& sink) {
  return UdpBoundProgram(access, sink);
}
Program Release(const SockAccess& access, const Access& /*socket*/, const Sink& sink) {
  return UdpReleaseProgram(access, sink);
}
constexpr CgroupHook kCgroupHooks[] = {
    {"post_bind4", kProgramCgroupSock, kAttachPostBind4, Bound},
    {"post_bind6", kProgramCgroupSock, kAttachPostBind6, Bound},
    {"sock_release", kProgramCgroupSock, kAttachSockRelease, Release},
    {"connect4", kProgramCgroupSockAddr, kAttachConnect4, UdpConnectProgram},
    {"connect6", kProgramCgroupSockAddr, kAttachConnect6, UdpConnectProgram},
};

Result<Fd> AttachState(const SockAccess& access, const Sink& sink) {
  const auto instructions = StateProgram(access, sink);
  if (!instructions) return instructions.refusal();
  const Result<Fd> program =
      LoadProgram({.type = kProgramRawTracepoint, .name = "desk_tcp", .instructions = *instructions});
  if (!program) return program.refusal();
  return OpenRawTracepoint(program->get(), "inet_sock_set_state");
}

Result<Fd> AttachUdp(const SockAccess& access, const Sink& sink, const Hook& hook, std::uint32_t function) {
  const auto instructions = UdpExitProgram(access, sink, hook.note);
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

Result<Fd> AttachCgroup(const Program& instructions, const CgroupHook& hook, int cgroup) {
  if (!instructions) return instructions.refusal();
  const Result<Fd> program = LoadProgram(
      {.type = hook.program, .attach_type = hook.attach, .name = "desk_udp", .instructions = *instructions});
  if (!program) return program.refusal();
  return CreateLink(program->get(), hook.attach, cgroup);
}

using Links = std::vector<Fd>;

// All required ones or none; `reason` says why none.
Links HookExits(const Btf& btf, const SockAccess& access, const Sink& sink, Unavailable& reason) {
  Links links;
  for (const Hook& hook : kUdpHooks) {
    const Result<std::uint32_t> function = btf.Find(Kind::kFunction, hook.function);
    if (!function && !hook.required) continue;
    Result<Fd> attached =
        function ? AttachUdp(access, sink, hook, *function) : Result<Fd>(function.refusal());
    if (!attached) {
      reason = {attached.error(), std::string("exit of ") + hook.function};
      return {};
    }
    links.push_back(std::move(*attached));
  }
  return links;
}

// The same.
Links HookCgroup(const Btf& btf, const SockAccess& access, const Sink& sink, Unavailable& reason) {
  const Result<Fd> root = OpenCgroupRoot();
  if (!root) {
    if (root.error() == ENOENT)
      reason = {0, "no cgroup v2 is mounted"};
    else if (root.error() == EXDEV)
      reason = {0, "only a part of the cgroups is visible (a container or a cgroup namespace)"};
    else
      reason = {root.error(), "root cgroup"};
    return {};
  }
  TypeWalk walk(btf);
  const Access socket = walk.Need(walk.Type(Kind::kStruct, "bpf_sock_addr_kern"), "sk");
  if (walk.error() != 0) {
    reason = {walk.error(), "member " + walk.missing() + " of the kernel's types"};
    return {};
  }
  Links links;
  for (const CgroupHook& hook : kCgroupHooks) {
    Result<Fd> attached = AttachCgroup(hook.assemble(access, socket, sink), hook, root->get());
    if (!attached) {
      reason = {attached.error(), std::string("cgroup hook ") + hook.name};
      return {};
    }
    links.push_back(std::move(*attached));
  }
  return links;
}

// Both or none.
Result<MakerTables> ShareMakers() {
  const auto tcp = MakerTable::Share(MakerTable::Sockets::kTcp);
  if (!tcp) return tcp.refusal();
  const auto udp = MakerTable::Share(MakerTable::Sockets::kUdp);
  if (!udp) return udp.refusal();
  return MakerTables{.tcp = *tcp, .udp = *udp};
}

Unavailable Both(const Unavailable& first, const Unavailable& second) {
  const auto text = [](const Unavailable& one) {
    return one.error == 0 ? one.step : one.step + " (" + ErrnoName(one.error) + ")";
  };
  return {0, text(first) + "; " + text(second)};
}

int MapOf(const std::shared_ptr<const MakerTable>& table) { return table ? table->map() : -1; }

}  // namespace

SocketTrace::Status SocketTrace::Open() {
  const auto none = [](int error, const std::string& step) {
    const Unavailable reason{error, step};
    return Status{reason, reason, reason, reason};
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
  Unavailable cgroup;
  Links hooks = HookExits(*btf, access, sink, status.udp_exits);
  if (hooks.empty()) hooks = HookCgroup(*btf, access, sink, cgroup);
  if (hooks.empty()) {
    status.udp = Both(status.udp_exits, cgroup);
    return status;
  }
  std::ranges::move(hooks, std::back_inserter(links_));
  makers_.udp = std::move(makers.udp);
  return status;
}

}  // namespace desk::bpf
