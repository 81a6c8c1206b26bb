// Passes texts to ParseProcMount: per case a line "MOUNT_ID HEX" on standard input, "ERROR HIDING ONLY_PIDS"
// on standard output.
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include "probe/proc_mount.h"

int main() {
  unsigned long long id;
  std::string line;
  while (std::cin >> id && std::getline(std::cin, line)) {
    if (!line.empty()) line.erase(0, 1);
    // A buffer of exactly the right size, so that the sanitizer detects a read of one byte too many.
    const std::size_t size = line.size() / 2;
    const auto text = std::make_unique<char[]>(size);
    for (std::size_t at = 0; at < size; ++at)
      text[at] = static_cast<char>(std::stoi(line.substr(2 * at, 2), nullptr, 16));
    const desk::Result<desk::ProcMount> mount = desk::ParseProcMount({text.get(), size}, id);
    std::printf("%d %d %d\n", mount.error(), static_cast<int>(mount->hiding), mount->only_pids ? 1 : 0);
  }
}
