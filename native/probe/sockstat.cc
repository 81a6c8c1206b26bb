#include "probe/sockstat.h"

#include <fcntl.h>

#include <cerrno>

#include "core/read.h"
#include "core/text.h"

namespace desk {
namespace {

// The number after "inuse", the first word of a line.
std::optional<std::uint32_t> InUse(std::string_view values) {
  if (TakeField(values) != "inuse") return std::nullopt;
  return ParseNumber<std::uint32_t>(TakeField(values));
}

}  // namespace

std::optional<SocketsInUse> ParseSockstat(std::string_view text) {
  std::optional<std::uint32_t> tcp;
  std::optional<std::uint32_t> udp;
  // Missing in old and very new kernels.
  std::optional<std::uint32_t> lite;
  while (!text.empty()) {
    std::string_view line = TakeUntil(text, '\n');
    const std::string_view name = TakeUntil(line, ':');
    if (name == "TCP" || name == "TCP6") tcp = InUse(line);
    if (name == "UDP" || name == "UDP6") udp = InUse(line);
    if (name == "UDPLITE" || name == "UDPLITE6") lite = InUse(line);
  }
  if (!tcp || !udp) return std::nullopt;
  return SocketsInUse{.tcp = *tcp, .udp = *udp + lite.value_or(0)};
}

Result<SocketsInUse> Sockstat::ReadOne(Fd& file, const char* path) {
  if (!file.valid()) file = Fd(::open(path, O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return Errno{errno};
  return ReadRecordAgain(file.get()).AndThen([](std::string_view text) -> Result<SocketsInUse> {
    const std::optional<SocketsInUse> counts = ParseSockstat(text);
    if (!counts) return Errno{EBADMSG};
    return *counts;
  });
}

Result<Sockstat::Counts> Sockstat::Read() {
  const Result<SocketsInUse> v4 = ReadOne(v4_, "/proc/self/net/sockstat");
  if (!v4) return v4.refusal();
  const Result<SocketsInUse> v6 = ReadOne(v6_, "/proc/self/net/sockstat6");
  if (!v6 && v6.error() != ENOENT) return v6.refusal();
  return Counts{.v4 = *v4, .v6 = v6 ? *v6 : SocketsInUse{}};
}

}  // namespace desk
