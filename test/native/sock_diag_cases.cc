// Passes byte strings to DecodeDiag: per case a line "SEQUENCE HEX" on standard input, a line of JSON on
// standard output.
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "probe/sock_diag.h"

namespace {

std::string Hex(const std::array<std::uint8_t, 16>& bytes) {
  std::string text;
  char two[3];
  for (const std::uint8_t byte : bytes) {
    std::snprintf(two, sizeof two, "%02x", byte);
    text += two;
  }
  return text;
}

}  // namespace

int main() {
  std::uint32_t sequence;
  std::string line;
  while (std::cin >> sequence && std::getline(std::cin, line)) {
    if (!line.empty()) line.erase(0, 1);
    // A buffer of exactly the right size, so that the sanitizer detects a read of one byte too many.
    std::vector<std::byte> bytes(line.size() / 2);
    for (std::size_t at = 0; at < bytes.size(); ++at)
      bytes[at] = static_cast<std::byte>(std::stoi(line.substr(2 * at, 2), nullptr, 16));
    std::vector<desk::InetSocket> sockets;
    const desk::DiagPart part = desk::DecodeDiag(bytes, sequence, sockets);
    std::printf("{\"done\":%s,\"interrupted\":%s,\"error\":%d,\"sockets\":[", part.done ? "true" : "false",
                part.interrupted ? "true" : "false", part.error);
    for (std::size_t at = 0; at < sockets.size(); ++at) {
      const desk::InetSocket& socket = sockets[at];
      std::printf(
          "%s{\"family\":%d,\"state\":%d,\"source\":\"%s\",\"sourcePort\":%d,\"uid\":%u,\"inode\":%u,"
          "\"v6only\":%s}",
          at == 0 ? "" : ",", socket.family, socket.state, Hex(socket.source).c_str(), socket.source_port,
          socket.uid, socket.inode, socket.v6only ? "true" : "false");
    }
    std::printf("]}\n");
  }
}
