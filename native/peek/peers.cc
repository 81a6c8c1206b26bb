#include "peek/peers.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <array>
#include <cstring>

#include "core/text.h"

namespace desk {
namespace {

// Lines of the kernel have some 200 bytes.
constexpr std::size_t kMostSocketLine = 512;

// Bytes in network order of words that the kernel prints in host order.
template <std::size_t kBytes>
std::optional<std::array<unsigned char, kBytes>> AddressBytes(std::string_view digits) {
  std::array<unsigned char, kBytes> bytes{};
  if (digits.size() != 2 * kBytes) return std::nullopt;
  for (std::size_t at = 0; at < kBytes; at += sizeof(std::uint32_t)) {
    const auto word = ParseNumber<std::uint32_t>(digits.substr(2 * at, 2 * sizeof(std::uint32_t)), 16);
    if (!word) return std::nullopt;
    std::memcpy(&bytes.at(at), &*word, sizeof(*word));
  }
  return bytes;
}

template <std::size_t kBytes>
std::optional<std::string> AddressText(int family, std::string_view digits) {
  const auto bytes = AddressBytes<kBytes>(digits);
  if (!bytes) return std::nullopt;
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* from = bytes->data();
  if constexpr (kBytes == sizeof(in6_addr)) {
    in6_addr six{};
    std::memcpy(&six, from, sizeof(six));
    if (IN6_IS_ADDR_V4MAPPED(&six)) {
      family = AF_INET;
      from = bytes->data() + sizeof(in6_addr) - sizeof(in_addr);
    }
  }
  if (::inet_ntop(family, from, text.data(), text.size()) == nullptr) return std::nullopt;
  return std::string(text.data());
}

}  // namespace

std::optional<SocketLine> ParseSocketLine(std::string_view line) {
  // sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode …
  constexpr int kBetween = 6;
  TakeField(line);
  TakeField(line);
  std::string_view port_digits = TakeField(line);
  const std::string_view digits = TakeUntil(port_digits, ':');
  for (int field = 0; field < kBetween; ++field) TakeField(line);
  const auto inode = ParseNumber<std::uint64_t>(TakeField(line));
  const auto port = ParseNumber<std::uint16_t>(port_digits, 16);
  if (!inode || !port) return std::nullopt;
  const std::optional<std::string> address = digits.size() == 2 * sizeof(in_addr)
                                                 ? AddressText<sizeof(in_addr)>(AF_INET, digits)
                                                 : AddressText<sizeof(in6_addr)>(AF_INET6, digits);
  if (!address) return std::nullopt;
  SocketLine found{.inode = *inode, .peer = std::nullopt};
  if (*port != 0) found.peer = Peer{.address = *address, .port = *port};
  return found;
}

std::string_view TableOf(std::string_view protocol) {
  if (protocol == "TCP") return "net/tcp";
  if (protocol == "TCPv6") return "net/tcp6";
  if (protocol == "UDP") return "net/udp";
  if (protocol == "UDPv6") return "net/udp6";
  if (protocol == "UDP-Lite") return "net/udplite";
  if (protocol == "UDPLITEv6") return "net/udplite6";
  return {};
}

void PeerReader::Take(std::string_view piece) {
  while (!piece.empty() && !found_) {
    const std::size_t end = piece.find('\n');
    line_.append(piece.substr(0, end).substr(0, kMostSocketLine - line_.size()));
    if (end == std::string_view::npos) return;
    piece.remove_prefix(end + 1);
    const std::optional<SocketLine> line = ParseSocketLine(line_);
    line_.clear();
    if (!line || line->inode != inode_) continue;
    found_ = true;
    peer_ = line->peer;
  }
}

}  // namespace desk
