// Process-wide state that every thread uses, used by eight threads at once under TSan.
#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/columns.h"
#include "core/read.h"
#include "core/root.h"
#include "core/siphash.h"
#include "fake_root.h"
#include "harness.h"
#include "probe/locks.h"
#include "probe/proc_pids.h"
#include "probe/proc_reference.h"
#include "probe/proc_sweep.h"
#include "probe/sock_diag.h"

namespace desk::unit {
namespace {

constexpr int kThreads = 8;

// A TCP socket bound to 127.0.0.1.
struct Bound {
  Fd fd;
  std::uint16_t port = 0;
};

Bound Bind() {
  Bound bound{.fd = Fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  Check(::bind(bound.fd.get(), reinterpret_cast<sockaddr*>(&address), size) == 0);
  Check(::getsockname(bound.fd.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
  bound.port = ntohs(address.sin_port);
  return bound;
}

Bound Listen() {
  Bound bound = Bind();
  Check(::listen(bound.fd.get(), 16) == 0);
  return bound;
}

void RootsOpenAndClose(int rounds) {
  const Folder folder;
  std::mutex mutex;
  std::set<int> handles;
  InThreads(kThreads, [&](int) {
    for (int i = 0; i < 200 * rounds; ++i) {
      const Result<int> handle = OpenRoot(folder.path().string());
      Check(handle.ok());
      const std::shared_ptr<Root> root = HandlesOf<Root>().Find(*handle);
      Check(root && root->path() == folder.path());
      Handles<Root>& roots = HandlesOf<Root>();
      Check(roots.Close(*handle) && !roots.Close(*handle) && !roots.Find(*handle));
      // A holder of a closed root can continue to use it.
      Check(::fcntl(root->fd(), F_GETFD) >= 0);
      const std::lock_guard lock(mutex);
      Check(handles.insert(*handle).second);
    }
  });
}

void ReferencesAgree(int rounds) {
  const Folder folder;
  WriteProcesses(folder, 20);
  for (int round = 0; round < 5 * rounds; ++round) {
    const std::shared_ptr<Root> root = RootOf(folder);
    InThreads(kThreads, [&](int index) {
      const Reference reference = index % 4 == 0 ? ReadReference(*root) : KeptReference(*root);
      Check(reference.ns_mnt == 4026531841 && reference.ns_net == 4026531840);
      Check(reference.cap_bnd_known && reference.cap_bnd == 0x1ffffffffff);
    });
  }
}

struct Table {
  Capacity capacity{.processes = 256, .sockets = 4, .holders = 64, .text = 1 << 16};
  std::vector<std::uint64_t> buffer = std::vector<std::uint64_t>(LayoutBytes(capacity) / 8);
  Columns columns = Bind(reinterpret_cast<std::byte*>(buffer.data()), capacity);
  std::uint32_t count = 0;

  explicit Table(const Root& root) {
    const Result<std::uint32_t> pids = ListPids(root.fd(), {columns.processes.pid, capacity.processes});
    Check(pids.ok());
    count = *pids;
  }
  void Sweep(Root& root, std::uint32_t shard, std::uint32_t shards) const {
    SweepRequest request;
    request.capacity = capacity;
    request.count = count;
    request.shard = shard;
    request.shards = shards;
    Check(SweepShard(root, columns, request));
  }
  std::string_view executable(std::uint32_t row) const {
    return {reinterpret_cast<const char*>(columns.text) + columns.processes.exe_offset[row],
            columns.processes.exe_length[row]};
  }
};

void ShardsSweepTogether(int rounds) {
  const Folder folder;
  WriteProcesses(folder, 120);
  const std::shared_ptr<Root> root = RootOf(folder);
  Table alone(*root);
  Check(alone.count == 120);
  alone.Sweep(*root, 0, 1);
  for (int round = 0; round < 3 * rounds; ++round) {
    const std::shared_ptr<Root> fresh = RootOf(folder);
    Table shared(*fresh);
    InThreads(kThreads,
              [&](int index) { shared.Sweep(*fresh, static_cast<std::uint32_t>(index), kThreads); });
    const ProcessView& one = alone.columns.processes;
    const ProcessView& other = shared.columns.processes;
    for (std::uint32_t row = 0; row < alone.count; ++row) {
      Check(one.pid[row] == other.pid[row] && one.start[row] == other.start[row]);
      Check(one.wrap[row] == other.wrap[row] && one.wrap_state[row] == other.wrap_state[row]);
      Check(one.seen[row] == other.seen[row] && one.refused[row] == other.refused[row]);
      Check(one.identity[row] == other.identity[row] && one.identity[row] != 0);
      Check(alone.executable(row) == shared.executable(row) && alone.executable(row).size() == 18);
      const bool wrapped = one.pid[row] % 5 == 0 || one.pid[row] % 7 == 0;
      Check(one.wrap_state[row] ==
            static_cast<std::uint8_t>(wrapped ? WrapState::kWrapped : WrapState::kFree));
    }
  }
}

void ReadersKeepApart(int rounds) {
  const Folder folder;
  const std::shared_ptr<Root> root = RootOf(folder);
  for (int i = 0; i < kThreads; ++i) {
    folder.Write("file-" + std::to_string(i),
                 std::string(10'000 + 20'000 * static_cast<std::size_t>(i), static_cast<char>('a' + i)));
  }
  InThreads(kThreads, [&](int index) {
    const std::string name = "file-" + std::to_string(index);
    for (int i = 0; i < 50 * rounds; ++i) {
      const Result<std::string_view> text = ReadFile(root->fd(), name.c_str());
      Check(text.ok() && text->size() == 10'000 + 20'000 * static_cast<std::size_t>(index));
      Check(text->find_first_not_of(static_cast<char>('a' + index)) == std::string_view::npos);
    }
  });
}

void DumpsSeeEveryListener(int rounds) {
  constexpr int kListeners = 6;
  std::vector<Bound> listeners;
  listeners.reserve(kListeners);
  for (int i = 0; i < kListeners; ++i) listeners.push_back(Listen());
  InThreads(kThreads, [&](int) {
    for (int i = 0; i < 25 * rounds; ++i) {
      const auto sockets =
          SockDiag::ForDumps().Dump({.family = 4, .protocol = 6, .states = 1u << kTcpListen});
      // On a machine where sockets open and close all the time, every attempt may see a change.
      if (sockets.error() == EAGAIN) continue;
      Check(sockets.ok());
      for (const Bound& listener : listeners)
        Check(std::ranges::any_of(*sockets, [&](const InetSocket& socket) {
          return socket.source_port == listener.port && socket.state == kTcpListen;
        }));
    }
  });
}

void PeersAreTold(int rounds) {
  constexpr std::array<std::uint8_t, 4> kLoopback{127, 0, 0, 1};
  const Bound listener = Listen();
  InThreads(kThreads, [&](int) {
    const Bound client = Bind();
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(listener.port);
    Check(::connect(client.fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    for (int i = 0; i < 25 * rounds; ++i) {
      const DiagPeer peer{.source = kLoopback,
                          .source_port = client.port,
                          .destination = kLoopback,
                          .destination_port = listener.port};
      const Result<std::uint32_t> uid = SockDiag::ForPeers().Creator(peer);
      Check(uid.ok() && *uid == ::geteuid());
      const DiagPeer none{
          .source = kLoopback, .source_port = client.port, .destination = kLoopback, .destination_port = 1};
      Check(SockDiag::ForPeers().Creator(none).error() == ENOENT);
    }
  });
}

void LocksGoToOneAtATime(int rounds) {
  const Folder folder;
  const std::string path = (folder.path() / "lock").string();
  Check(std::filesystem::create_directory(path));
  std::atomic<int> holders = 0;
  std::atomic<int> taken = 0;
  InThreads(kThreads, [&](int) {
    for (int i = 0; i < 50 * rounds; ++i) {
      const Result<int> handle = Lock(path);
      if (!handle) {
        Check(handle.error() == EWOULDBLOCK);
        std::this_thread::yield();
        continue;
      }
      Check(++holders == 1);
      ++taken;
      --holders;
      Check(HandlesOf<HeldLock>().Close(*handle) && !HandlesOf<HeldLock>().Close(*handle));
    }
  });
  Check(taken > 0);
}

void HashesAgree(int) {
  const std::array<std::uint8_t, 5> bytes{1, 2, 3, 4, 5};
  std::array<std::uint64_t, kThreads> hashes{};
  InThreads(kThreads, [&](int index) { hashes[static_cast<std::size_t>(index)] = HashIdentity(bytes); });
  Check(std::ranges::count(hashes, hashes[0]) == kThreads);
}

// NOLINTNEXTLINE(cert-err58-cpp): without memory for the list of tests there is nothing to catch
const Suite kSuite{"threads",
                   {{"hashes agree", HashesAgree},
                    {"roots open and close", RootsOpenAndClose},
                    {"references agree", ReferencesAgree},
                    {"shards sweep together", ShardsSweepTogether},
                    {"readers keep apart", ReadersKeepApart},
                    {"dumps see every listener", DumpsSeeEveryListener},
                    {"peers are told", PeersAreTold},
                    {"locks go to one at a time", LocksGoToOneAtATime}}};

}  // namespace
}  // namespace desk::unit
