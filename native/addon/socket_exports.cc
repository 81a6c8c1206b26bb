#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "addon/boundary.h"
#include "addon/exports.h"
#include "core/columns.h"
#include "core/fd.h"
#include "probe/sock_diag.h"

namespace desk::addon {
namespace {

struct Dump {
  const char* source = "";
  DiagQuery query;
};

constexpr Dump kListenerDumps[] = {
    {"sock_diag tcp4", kListenerQueries[0]},
    {"sock_diag tcp6", kListenerQueries[1]},
    {"sock_diag udp4", kListenerQueries[2]},
    {"sock_diag udp6", kListenerQueries[3]},
};

constexpr Dump kConnectionDumps[] = {
    {"sock_diag https4",
     {.family = 4, .protocol = IPPROTO_TCP, .states = 1u << kTcpEstablished, .destination_port = kHttpsPort}},
    {"sock_diag https6",
     {.family = 6, .protocol = IPPROTO_TCP, .states = 1u << kTcpEstablished, .destination_port = kHttpsPort}},
};

void WriteListener(const ListenerView& view, std::uint32_t row, std::uint8_t protocol,
                   const InetSocket& socket) {
  view.family[row] = socket.family;
  view.protocol[row] = protocol;
  std::memcpy(view.address + std::size_t{row} * kAddressBytes, socket.source.data(), kAddressBytes);
  view.port[row] = socket.source_port;
  view.inode[row] = socket.inode;
  view.uid[row] = socket.uid;
  view.v6only[row] = socket.v6only ? 1 : 0;
}

void WriteConnection(const ConnectionView& view, std::uint32_t row, const InetSocket& socket) {
  view.family[row] = socket.family;
  std::memcpy(view.address + std::size_t{row} * kAddressBytes, socket.destination.data(), kAddressBytes);
  view.port[row] = socket.destination_port;
  view.inode[row] = socket.inode;
}

// listSockets(buffer, capacity, connections = true): SocketResult
Napi::Value ListSockets(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Table table(info, 0);
  const bool with_connections = BooleanArgument(info, 2, "connections", true);
  Napi::Array refusals = Napi::Array::New(env);
  const auto visit = [&](const Dump& dump, auto&& write) {
    const Result<std::vector<InetSocket>> sockets = SockDiag::ForDumps().Dump(dump.query);
    if (!sockets) {
      refusals.Set(refusals.Length(), RefusalValue(env, sockets.error(), dump.source));
      return;
    }
    for (const InetSocket& socket : *sockets) write(dump.query, socket);
  };
  std::uint32_t listeners = 0;
  for (const Dump& dump : kListenerDumps) {
    visit(
        dump,
        [&](const DiagQuery& query, const InetSocket& socket) {
          if (!AcceptsAnyPeer(socket)) return;
          if (listeners < table.capacity.sockets)
            WriteListener(table.columns.listeners, listeners, query.protocol, socket);
          ++listeners;
        });
  }
  std::uint32_t connections = 0;
  for (const Dump& dump : with_connections ? std::span(kConnectionDumps) : std::span<const Dump>()) {
    visit(
        dump,
        [&](const DiagQuery&, const InetSocket& socket) {
          if (connections < table.capacity.sockets)
            WriteConnection(table.columns.connections, connections, socket);
          ++connections;
        });
  }
  Napi::Object result = ObjectOf(env, {{"listeners", listeners}, {"refusals", refusals}});
  result.Set("connections", with_connections ? Napi::Number::New(env, connections) : env.Null());
  return result;
}

std::span<const std::uint8_t> AddressArgument(const Napi::CallbackInfo& info, std::size_t index,
                                              const char* name) {
  const std::span<const std::uint8_t> bytes = BytesArgument(info, index, name);
  if (bytes.size() != 4 && bytes.size() != 16)
    throw Napi::RangeError::New(info.Env(), std::string(name) + " must have 4 or 16 bytes");
  return bytes;
}

// peerUid(local, localPort, remote, remotePort): number | Refusal
Napi::Value PeerUid(const Napi::CallbackInfo& info) {
  const auto port = [&](std::size_t index, const char* name) {
    return IntegerArgument<std::uint16_t>(info, index, name, 1, kMostPort);
  };
  const std::span<const std::uint8_t> local = AddressArgument(info, 0, "local");
  const std::uint16_t local_port = port(1, "localPort");
  const std::span<const std::uint8_t> remote = AddressArgument(info, 2, "remote");
  const std::uint16_t remote_port = port(3, "remotePort");
  if (local.size() != remote.size())
    throw Napi::RangeError::New(info.Env(), "local and remote must have the same family");
  // What is remote to us is the peer socket's own end.
  const Result<std::uint32_t> uid = SockDiag::ForPeers().Creator(
      {.source = remote, .source_port = remote_port, .destination = local, .destination_port = local_port});
  return ValueOr(info.Env(), uid, "sock_diag peer");
}

// limitBuffers(descriptor, receive, send): null | Refusal
Napi::Value LimitBuffers(const Napi::CallbackInfo& info) {
  constexpr std::int64_t kMostBytes = 1 << 20;
  const int descriptor = IntegerArgument<int>(info, 0, "descriptor", 0, INT_MAX);
  const int receive = IntegerArgument<int>(info, 1, "receive", 1, kMostBytes);
  const int send = IntegerArgument<int>(info, 2, "send", 1, kMostBytes);
  if (::setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receive, sizeof(receive)) != 0)
    return RefusalValue(info.Env(), errno, "SO_RCVBUF");
  if (::setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &send, sizeof(send)) != 0)
    return RefusalValue(info.Env(), errno, "SO_SNDBUF");
  return info.Env().Null();
}

// One row of acceptConnections, as src/http/accept-queue.ts reads it.
struct Accepted {
  std::int32_t descriptor;
  // 4 or 6.
  std::int32_t family;
  std::int32_t local_port;
  std::int32_t remote_port;
  // Network order; v4 uses the first four bytes.
  std::uint8_t local[kAddressBytes];
  std::uint8_t remote[kAddressBytes];
};
static_assert(sizeof(Accepted) == 48);

// Writes the address to `bytes`; the port.
std::int32_t WriteEnd(const sockaddr_storage& end, std::uint8_t* bytes) {
  if (end.ss_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &end, sizeof(four));
    std::memcpy(bytes, &four.sin_addr, sizeof(four.sin_addr));
    return ntohs(four.sin_port);
  }
  sockaddr_in6 six{};
  std::memcpy(&six, &end, sizeof(six));
  std::memcpy(bytes, &six.sin6_addr, sizeof(six.sin6_addr));
  return ntohs(six.sin6_port);
}

// acceptConnections(listener, rows): number
Napi::Value AcceptConnections(const Napi::CallbackInfo& info) {
  const int listener = IntegerArgument<int>(info, 0, "listener", 0, INT_MAX);
  const std::span<std::uint8_t> rows = BytesArgument(info, 1, "rows");
  const std::size_t most = rows.size() / sizeof(Accepted);
  std::size_t count = 0;
  while (count < most) {
    sockaddr_storage remote{};
    socklen_t remote_size = sizeof(remote);
    Fd connection(::accept4(listener, reinterpret_cast<sockaddr*>(&remote), &remote_size,
                            SOCK_NONBLOCK | SOCK_CLOEXEC));
    // The queue is empty; any other error is left to node's own next accept.
    if (!connection.valid()) break;
    sockaddr_storage local{};
    socklen_t local_size = sizeof(local);
    if ((remote.ss_family != AF_INET && remote.ss_family != AF_INET6) ||
        ::getsockname(connection.get(), reinterpret_cast<sockaddr*>(&local), &local_size) != 0)
      continue;
    Accepted row{};
    row.descriptor = connection.get();
    row.family = remote.ss_family == AF_INET ? 4 : 6;
    row.local_port = WriteEnd(local, row.local);
    row.remote_port = WriteEnd(remote, row.remote);
    std::memcpy(rows.data() + count * sizeof(Accepted), &row, sizeof(row));
    connection.Release();
    ++count;
  }
  return Napi::Number::New(info.Env(), static_cast<double>(count));
}

}  // namespace

void ExportSocket(Napi::Env env, Napi::Object& exports) {
  ExportFunction(env, exports, "listSockets", ListSockets);
  ExportFunction(env, exports, "peerUid", PeerUid);
  ExportFunction(env, exports, "limitBuffers", LimitBuffers);
  ExportFunction(env, exports, "acceptConnections", AcceptConnections);
}

}  // namespace desk::addon
