// The basic building blocks.
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/arena.h"
#include "core/columns.h"
#include "core/directory.h"
#include "core/fd.h"
#include "core/read.h"
#include "core/siphash.h"
#include "fake_root.h"
#include "harness.h"
#include "probe/sockstat.h"

namespace desk::unit {
namespace {

bool Open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

void DescriptorsHaveOneOwner(int) {
  Fd one(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int number = one.get();
  Check(one.valid() && Open(number));
  Fd other = std::move(one);
  Check(other.get() == number && Open(number));
  Fd second(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const int replaced = second.get();
  second = std::move(other);
  Check(second.get() == number && !Open(replaced));
  second = Fd();
  Check(!second.valid() && !Open(number));
}

void ArenasStayInTheirPart(int) {
  std::vector<std::uint8_t> text(100, 0xee);
  Arena arena(text.data(), 10, 20);
  const auto first = arena.Append("12345");
  Check(first && first->offset == 10 && first->length == 5 && !arena.overflow());
  const auto same = arena.AppendUnless(*first, "12345");
  Check(same && same->offset == 10);
  Check(arena.Append("") && !arena.overflow());
  Check(!arena.Append("123456") && arena.overflow());
  Check(arena.Append("67890") && !arena.Append("1"));
  Check(std::count(text.begin(), text.end(), 0xee) == 90 && text[20] == 0xee);
}

void ShardsCoverEverythingOnce(int) {
  for (const std::uint32_t total : {0u, 1u, 7u, 4096u, 4294967295u}) {
    for (const std::uint32_t shards : {1u, 2u, 3u, 16u, 4096u}) {
      Check(ShardBegin(total, 0, shards) == 0 && ShardBegin(total, shards, shards) == total);
      for (std::uint32_t shard = 0; shard < shards; ++shard) {
        const std::uint32_t size = ShardBegin(total, shard + 1, shards) - ShardBegin(total, shard, shards);
        Check(size == total / shards || size == total / shards + 1);
      }
    }
  }
}

void ColumnsLieApart(int) {
  const Capacity capacity{.processes = 3, .sockets = 5, .holders = 2, .text = 7};
  std::vector<std::uint64_t> buffer(LayoutBytes(capacity) / 8);
  const Columns columns = Bind(reinterpret_cast<std::byte*>(buffer.data()), capacity);
  Check(LayoutBytes(capacity) % 64 == 0);
  Check(reinterpret_cast<std::byte*>(columns.processes.pid) == reinterpret_cast<std::byte*>(buffer.data()));
  Check(reinterpret_cast<std::uint64_t*>(columns.text) == buffer.data() + buffer.size() - 8);
}

void FilesAreReadWhole(int) {
  const Folder folder;
  const Fd directory(::open(folder.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  // Sizes around the first buffer (16 KiB), four times it, and the size of a large mount table.
  for (const std::size_t size : {0, 1, 16383, 16384, 16385, 65536, 65537, 1048576, 1048577, 5000000}) {
    std::string text(size, '\0');
    std::iota(text.begin(), text.end(), '\0');
    folder.Write("file", text);
    for (const auto read : {ReadFile, ReadRecord}) {
      const Result<std::string_view> got = read(directory.get(), "file");
      Check(got.ok() && *got == text);
    }
  }
  folder.Write("file", std::string((64 << 20) + 1, 'x'));
  Check(ReadFile(directory.get(), "file").error() == EFBIG);
  Check(ReadFile(directory.get(), "none").error() == ENOENT);
  Check(ReadFile(directory.get(), ".").error() == EISDIR);
  Check(::mkfifoat(directory.get(), "fifo", 0600) == 0);
  // No read waits for a writer, and a failed read is not an empty file.
  Check(ReadFile(directory.get(), "fifo").error() == ESPIPE);
}

void LinksAreReadWhole(int) {
  const Folder folder;
  const Fd directory(::open(folder.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  const std::string target(4095, 'd');
  folder.Link("link", target);
  const Result<std::string_view> got = ReadLink(directory.get(), "link");
  Check(got.ok() && *got == target);
  folder.Write("file", "");
  Check(ReadLink(directory.get(), "file").error() == EINVAL);
  Check(ReadLink(directory.get(), "none").error() == ENOENT);
}

void OnlyNumbersAreWalked(int) {
  const Folder folder;
  for (const char* name : {"1", "22", "4194304", "99999999999", "x", "-5", "+6", "7x", "0"})
    folder.Write(name, "");
  // More than fits one answer of getdents64.
  for (int i = 1000; i < 3000; ++i) folder.Write(std::to_string(i), "");
  std::vector<int> numbers;
  const auto keep = [&numbers](int number, int) {
    numbers.push_back(number);
    return true;
  };
  const Result<bool> whole = WalkNumbers(AT_FDCWD, folder.path().c_str(), keep);
  Check(whole.ok() && *whole);
  std::ranges::sort(numbers);
  Check(numbers.size() == 2004 && numbers.front() == 0 && numbers.back() == 4194304);
  const Result<bool> part =
      WalkNumbers(AT_FDCWD, folder.path().c_str(), [](int, int directory) { return !Open(directory); });
  Check(part.ok() && !*part);
  Check(WalkNumbers(AT_FDCWD, "/nonexistent", keep).error() == ENOENT);
}

void HashesAreThoseOfOthers(int) {
  // The results of CPython 3.11 with PYTHONHASHSEED=0 for bytes(range(size)): SipHash-1-3 with a zero key.
  constexpr std::array<std::pair<std::size_t, std::uint64_t>, 5> kKnown{{{1, 0x68a914128e01e473},
                                                                         {7, 0x2f098ab0c751325a},
                                                                         {8, 0xead411e67ebe2eea},
                                                                         {9, 0x75927f9d95124362},
                                                                         {63, 0x385d3e39e5f37359}}};
  std::array<std::uint8_t, 64> message{};
  std::iota(message.begin(), message.end(), std::uint8_t{0});
  for (const auto& [size, hash] : kKnown)
    Check(SipHash13({.k0 = 0, .k1 = 0}, std::span(message).first(size)) == hash);
}

void SocketsInUseAreCounted(int) {
  Check(ParseSockstat("sockets: used 9\nTCP: inuse 5 orphan 0\nUDP: inuse 3 mem 0\nUDPLITE: inuse 8\n") ==
        SocketsInUse{.tcp = 5, .udp = 11});
  Check(ParseSockstat("TCP6: inuse 2\nUDP6: inuse 1\nUDPLITE6: inuse 0") == SocketsInUse{.tcp = 2, .udp = 1});
  for (const char* const text :
       {"", "TCP: inuse 5\n", "TCP: inuse\nUDP: inuse 3\n", "TCP: mem 5\nUDP: inuse 3\n",
        "TCP: inuse 4294967296\nUDP: inuse 3\n", "TCP: inuse -1\nUDP: inuse 3\n"})
    Check(!ParseSockstat(text));
  Sockstat counts;
  const Result<Sockstat::Counts> first = counts.Read();
  Check(first.ok());
  const Fd bound(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in loopback{};
  loopback.sin_family = AF_INET;
  loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  Check(::bind(bound.get(), reinterpret_cast<const sockaddr*>(&loopback), sizeof(loopback)) == 0);
  // Other processes come and go in the meantime: only a successful second read can be checked.
  Check(counts.Read().ok());
}

// NOLINTNEXTLINE(cert-err58-cpp): without memory for the list of tests there is nothing to catch
const Suite kSuite{"core",
                   {{"descriptors have one owner", DescriptorsHaveOneOwner},
                    {"arenas stay in their part", ArenasStayInTheirPart},
                    {"shards cover everything once", ShardsCoverEverythingOnce},
                    {"columns lie apart", ColumnsLieApart},
                    {"files are read whole", FilesAreReadWhole},
                    {"links are read whole", LinksAreReadWhole},
                    {"only numbers are walked", OnlyNumbersAreWalked},
                    {"hashes are those of others", HashesAreThoseOfOthers},
                    {"sockets in use are counted", SocketsInUseAreCounted}}};

}  // namespace
}  // namespace desk::unit
